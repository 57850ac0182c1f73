/** Name of the built-in tool with which a model hands off the conversation. */
export const transferTool = "transfer_to_agent"

/** Name of the built-in tool with which a model ends the loops that enclose its agent (adk). */
export const exitLoop = "exit_loop"

/**
 * Id of the built-in tool `exit_loop` in charts in which a user's tool is also named `exit_loop`.
 */
export const builtInExitLoop = "google.adk.tools.exit_loop"

/**
 * Name of the built-in tool with which a model searches the long-term memory. The service that the
 * tool calls has the same name.
 */
export const loadMemoryService = "load_memory"

/**
 * Name of the built-in tool that loads memories of the user before a turn. The service that it
 * calls has the same name.
 */
export const preloadMemoryService = "preload_memory"
