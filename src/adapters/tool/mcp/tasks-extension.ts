/** Identifier of the tasks extension of MCP. */
export const tasksExtension = "io.modelcontextprotocol/tasks"
