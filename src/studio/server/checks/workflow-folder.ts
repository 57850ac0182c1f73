import type { AgentChart } from "../../../machines/contract/agent-chart.js"

/**
 * The files and workflows of the workspace. The code for policies and reports uses this interface
 * to read them.
 */
export interface WorkflowFolder {
  readonly folder: string
  /**
   * Resolves a path, including symbolic links, to an absolute path. Throws an HTTP error if the
   * file is not in the workspace.
   */
  resolve(path: string): string
  /**
   * Compiles a text as if it were the content of the file `path`. Throws an HTTP error if the text
   * has errors.
   */
  chartOf(path: string, text: string): Promise<AgentChart>
}
