/** Name of the built-in tool that a model calls to hand off the conversation to another agent. */
export const transferTool = "transfer_to_agent"

/**
 * Name of the built-in tool that a model calls to end the loops that contain its agent. Exists only
 * in the adk dialect.
 */
export const exitLoop = "exit_loop"

/**
 * Id of the built-in tool `exit_loop` in charts that also contain a user's tool named `exit_loop`.
 */
export const builtInExitLoop = "google.adk.tools.exit_loop"

/**
 * Name of the built-in tool that a model calls to search the long-term memory. The host function
 * that performs the search has the same name.
 */
export const loadMemoryService = "load_memory"

/**
 * Name of the built-in tool that adds memories of the user to the system message before a model
 * call. The host function that returns the memories has the same name.
 */
export const preloadMemoryService = "preload_memory"
