/**
 * Identifier of the MCP extension for tasks. A task is a tool call that the server executes in the
 * background.
 */
export const tasksExtension = "io.modelcontextprotocol/tasks"
