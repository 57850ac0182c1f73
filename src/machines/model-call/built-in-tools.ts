/** Name of the built-in tool with which a model hands off the conversation. */
export const transferTool = "transfer_to_agent"

/** Name of the built-in tool with which a model ends the enclosing loops (adk). */
export const exitLoop = "exit_loop"

/**
 * Id of the built-in tool `exit_loop` in a chart in which a tool of the user also has the name
 * `exit_loop`.
 */
export const builtInExitLoop = "google.adk.tools.exit_loop"

/** Name of the built-in tool with which a model searches the long-term memory, and of its service. */
export const loadMemoryService = "load_memory"

/** Name of the service that returns memories of the user before a turn, and of its tool. */
export const preloadMemoryService = "preload_memory"
