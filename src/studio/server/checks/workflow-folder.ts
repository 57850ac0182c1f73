import type { AgentChart } from "../../../machines/contract/agent-chart.js"

/** The folder of the studio, as the checks of its workflows use it. */
export interface WorkflowFolder {
  readonly folder: string
  /** Returns the real path of a file. Throws an HTTP error if the file is not in the folder. */
  resolve(path: string): string
  /** Compiles a text as the content of a file. Throws an HTTP error if it has errors. */
  chartOf(path: string, text: string): Promise<AgentChart>
}
