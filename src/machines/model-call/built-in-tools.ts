/** Name of the built-in tool with which a model hands off the conversation. */
export const transferTool = "transfer_to_agent"

/** Name of the built-in tool with which a model ends the enclosing loops (adk). */
export const exitLoop = "exit_loop"

/**
 * Id of the built-in tool `exit_loop` in a chart in which a tool of the user also has the name
 * `exit_loop`.
 */
export const builtInExitLoop = "google.adk.tools.exit_loop"
