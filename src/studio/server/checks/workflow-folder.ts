import type { AgentChart } from "../../../machines/contract/agent-chart.js"

/**
 * The functions of the workspace that the code for policies and reports needs: it finds files and
 * compiles workflows.
 */
export interface WorkflowFolder {
  readonly folder: string
  /**
   * Returns the path of a file after resolving symbolic links. Throws an HTTP error if the file is
   * not in the workspace.
   */
  resolve(path: string): string
  /**
   * Compiles a text as if it were the content of the file `path`. Throws an HTTP error if the text
   * has errors.
   */
  chartOf(path: string, text: string): Promise<AgentChart>
}
