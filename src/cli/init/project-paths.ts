import type { ProjectChoices } from "./project-choices.js"

/** Paths of a project, relative to its folder. */
export interface ProjectPaths {
  /** The file that the user edits. */
  readonly source: string
  /** The config file that the commands read. A TypeScript project creates it in its build. */
  readonly config: string
  readonly services: string
  readonly models: string
  readonly servicesSource: string
  readonly modelsSource: string
}

/**
 * Returns the paths of a project. In a TypeScript project, `config` is the output of the build of
 * `source`.
 */
export function projectPaths({ dialect }: Pick<ProjectChoices, "dialect">): ProjectPaths {
  switch (dialect) {
    case "graph-compose":
      return { source: "workflow.json", config: "workflow.json", ...javaScript }
    case "adk":
      return { source: "agents/root_agent.yaml", config: "agents", ...javaScript }
    case "typescript":
      return {
        source: "src/workflow.ts",
        config: "dist/workflow.json",
        services: "dist/services.js",
        models: "dist/models.js",
        servicesSource: "src/services.ts",
        modelsSource: "src/models.ts",
      }
  }
}

const javaScript = {
  services: "services.mjs",
  models: "models.mjs",
  servicesSource: "services.mjs",
  modelsSource: "models.mjs",
}
