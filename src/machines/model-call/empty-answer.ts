import type { ModelAnswer } from "../contract/services.js"

/** A model response without text, tool calls or signals. */
export const emptyAnswer: ModelAnswer = {
  content: null,
  toolCalls: [],
  exitFlow: false,
  escalate: false,
  waitForUserInput: false,
  hitlRequest: null,
  usage: null,
}
