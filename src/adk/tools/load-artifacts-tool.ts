import { FunctionTool } from "./function-tool.js"

/** A tool with which a model loads artifacts of the session by name. */
export class LoadArtifactsTool extends FunctionTool<typeof parameters> {
  constructor() {
    super({
      name: "load_artifacts",
      description: "Loads artifacts of the session by name. Without names, it lists their names.",
      parameters,
      execute: async ({ artifact_names: names = [] }, context) => {
        const wanted = Array.isArray(names) ? names.map(String) : []
        if (wanted.length === 0) return { artifact_names: await context.listArtifacts() }
        const loaded = await Promise.all(
          wanted.map(async (name) => [name, (await context.loadArtifact(name)) ?? null] as const),
        )
        return { artifacts: Object.fromEntries(loaded) }
      },
    })
  }
}

const parameters = {
  type: "object",
  properties: {
    artifact_names: { type: "array", items: { type: "string" }, description: "Names to load." },
  },
} as const

export const LOAD_ARTIFACTS = new LoadArtifactsTool()
