import type { ModelAnswer } from "../contract/services.js"

/** A response without a text, tool calls and signals. */
export const emptyAnswer: ModelAnswer = {
  content: null,
  toolCalls: [],
  exitFlow: false,
  escalate: false,
  waitForUserInput: false,
  hitlRequest: null,
  usage: null,
}
