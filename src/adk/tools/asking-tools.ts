import { LongRunningFunctionTool } from "./function-tool.js"

/**
 * A tool with which a model asks the user a question. The answer is the result of the tool call.
 */
export const requestInputTool = new LongRunningFunctionTool({
  name: "adk_request_input",
  description: "Asks the user a question. The answer is returned later.",
  parameters: {
    type: "object",
    properties: {
      message: { type: "string", description: "The question." },
      response_schema: { type: "object", description: "JSON schema of the answer." },
    },
    required: ["message"],
  },
  execute: () => undefined,
})

/**
 * A tool with which a model asks the user to choose one of several options. The chosen option is
 * the result of the tool call.
 */
export const getUserChoiceTool = new LongRunningFunctionTool({
  name: "get_user_choice",
  description: "Shows options to the user. The chosen option is returned later.",
  parameters: {
    type: "object",
    properties: { options: { type: "array", items: { type: "string" } } },
    required: ["options"],
  },
  execute: () => undefined,
})
