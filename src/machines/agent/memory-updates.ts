import { lastUserEntry } from "../contract/history.js"
import { outputOf } from "../contract/machine-event.js"
import type { Guard, Update } from "../contract/machine-kind.js"
import type { Message } from "../contract/services.js"
import { textOfContent } from "../contract/user-content.js"
import type { HostFunctionInput, HostFunctionOutput } from "../host-functions/host-function.js"
import { applyHostChanges } from "./model-call-updates.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"

type Context = LlmAgentContext

/**
 * Guards of the state that loads memories, which are messages from earlier sessions of the user.
 */
export const memoryGuards: Readonly<Record<string, Guard<Context>>> = {
  // `turnCalls` is 0 at the start of a turn and after a message of the user.
  mustLoadMemories: ({ definition, turnCalls, calls, memoriesOf }) =>
    definition.memoryService !== undefined && turnCalls === 0 && memoriesOf !== calls,
}

/**
 * Actions that store the loaded memories in the context of the turn. Memories are messages from
 * earlier sessions of the user.
 */
export const memoryUpdates: Readonly<Record<string, Update<Context>>> = {
  storeMemories: (context, event) => {
    applyHostChanges(context, event)
    const { value } = outputOf<HostFunctionOutput>(event)
    context.memoriesOf = context.calls
    context.memories = typeof value === "string" ? value : ""
  },
}

/**
 * Returns the input for the host function that loads memories from earlier sessions of the user.
 */
export function memoryCallInput(context: Context): HostFunctionInput {
  const { input, definition, state, calls, at } = context
  const { runId, agent, branch, iteration, path } = input
  return {
    runId,
    agent,
    branch,
    iteration,
    path: `${path}/memories#${calls}`,
    service: definition.memoryService ?? "",
    input: { query: lastUserText(context), hasHistory: input.history !== null },
    state,
    steps: [],
    agents: [],
    at,
  }
}

/**
 * Returns the text of the last user message, with which memories are searched. In the adk dialect,
 * the conversation can end with messages of other agents, which also have the role `user`. At the
 * start of a turn, the message is therefore read from the session history.
 */
function lastUserText({ conversation, memoriesOf, input: { history } }: Context): string {
  const atStart = history === null || memoriesOf !== undefined ? undefined : lastUserEntry(history)
  const userMessage = atStart?.message ?? conversation.findLast(isOfUser)
  return userMessage?.role === "user" ? textOfContent(userMessage.content) : ""
}

const isOfUser = ({ role }: Message): boolean => role === "user"
