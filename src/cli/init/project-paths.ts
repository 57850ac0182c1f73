import type { ProjectChoices } from "./project-choices.js"

/** Paths of the files in a new project, relative to the project folder. */
export interface ProjectPaths {
  /** Workflow file that the user edits. */
  readonly source: string
  /**
   * Workflow config that commands such as `run` read. In a TypeScript project, the build creates
   * it.
   */
  readonly config: string
  readonly services: string
  readonly models: string
  readonly servicesSource: string
  readonly modelsSource: string
}

/**
 * Returns the file paths of a new project. In a TypeScript project, the build creates `config` from
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
