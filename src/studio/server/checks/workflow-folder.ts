import type { AgentChart } from "../../../machines/contract/agent-chart.js"

/** Access to the workspace of the studio for the code that checks workflows. */
export interface WorkflowFolder {
  readonly folder: string
  /** Returns the real path of a file. Throws an HTTP error if the file is not in the folder. */
  resolve(path: string): string
  /**
   * Compiles a text as if it were the content of a file. Throws an HTTP error if the text has
   * errors.
   */
  chartOf(path: string, text: string): Promise<AgentChart>
}
