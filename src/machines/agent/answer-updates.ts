import type { ModelAnswer } from "../contract/services.js"
import type { Guard, Lookup, Step, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { writeKey } from "../data/session-state.js"
import { assistantMessage } from "../model-call/conversation.js"
import { alternativeNameAt } from "../model-call/agent-models.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { isBlank, readStructured } from "../model-call/structured-output.js"
import { proposeCalls } from "../model-call/tool-call-proposal.js"
import { envelopeOf, applyHostChanges } from "./model-call-updates.js"

type Context = LlmAgentContext

const answerOf = (event: MachineEvent): ModelAnswer | null => {
  const envelope = envelopeOf(event)
  return envelope.ok ? envelope.value : null
}

const endsTurn = (answer: ModelAnswer): boolean =>
  isPlainText(answer) && !answer.exitFlow && !answer.escalate && !answer.waitForUserInput

/**
 * Returns whether a response ends the run although it does not contain `exitFlow`. This applies to
 * the final response of a root agent whose model cannot send signals such as `exitFlow`
 * (docs/semantics.md#models-by-name).
 */
const endsRun = ({ byName }: Context["definition"], answer: ModelAnswer): boolean =>
  byName?.endsRun === true && answer.signals !== true && endsTurn(answer)

/**
 * Returns an error message if a final text violates the agent's `outputSchema`. Returns null if the
 * text is valid or blank, or if the agent has no schema.
 */
function violationOf(
  { adk }: Context["definition"],
  { content }: ModelAnswer,
  lookup: Lookup,
): string | null {
  if (adk === undefined || adk.outputSchema === null || isBlank(content)) return null
  const read = readStructured(content, adk.outputSchema, lookup)
  return read.ok ? null : read.violation
}

const isPlainText = (answer: ModelAnswer): boolean =>
  answer.toolCalls.length === 0 && answer.hitlRequest === null

/**
 * Guards that check how the turn continues after a model response. The response can end the turn,
 * call tools, request an approval, or wait for a message from the user.
 */
export const answerGuards: Readonly<Record<string, Guard<Context>>> = {
  answersFinally: ({ definition, input }, event, _params, lookup) => {
    const answer = answerOf(event)
    return (
      answer !== null &&
      input.task === undefined &&
      endsTurn(answer) &&
      !endsRun(definition, answer) &&
      violationOf(definition, answer, lookup) === null
    )
  },
  violatesSchemaOnce: ({ definition, repairs }, event, _params, lookup) => {
    const answer = answerOf(event)
    const mayRepair = definition.adk?.structuredOutputWithTools === true && repairs === 0
    return (
      mayRepair &&
      answer !== null &&
      endsTurn(answer) &&
      violationOf(definition, answer, lookup) !== null
    )
  },
  violatesSchema: ({ definition }, event, _params, lookup) => {
    const answer = answerOf(event)
    return answer !== null && endsTurn(answer) && violationOf(definition, answer, lookup) !== null
  },
  asksForApproval: (_, event) => answerOf(event)?.hitlRequest != null,
  callsTools: (_, event) => {
    const answer = answerOf(event)
    return answer !== null && answer.toolCalls.length > 0 && answer.hitlRequest === null
  },
  exits: ({ definition }, event) => {
    const answer = answerOf(event)
    return answer !== null && (answer.exitFlow || endsRun(definition, answer))
  },
  escalates: (_, event) => answerOf(event)?.escalate === true,
  // A text without a call of `finish_task` asks the user.
  asksUser: ({ input }, event) => {
    const answer = answerOf(event)
    return (
      answer !== null && (answer.waitForUserInput || (input.task !== undefined && endsTurn(answer)))
    )
  },
}

/** Actions that apply the model's response to the turn of an agent. */
export const answerUpdates: Readonly<Record<string, Update<Context>>> = {
  applyAnswer: (context, event, _params, step) => applyAnswer(context, event, step),
  applyFinalAnswer: (context, event, _params, step) => {
    applyAnswer(context, event, step)
    endTurn(context, step)
  },
  askForRepair: (context, event, _params, step) => {
    applyAnswer(context, event, step)
    context.repairs = context.repairs + 1
    const violation =
      context.answer === null ? "" : violationOf(context.definition, context.answer, step)
    const content = `Your answer breaks the schema that it has to follow: ${violation}. Answer again with JSON that follows it, and nothing else.`
    context.conversation = [...context.conversation, { role: "user", content }]
  },
  failSchema: (context, event, _params, step) => {
    applyAnswer(context, event, step)
    const { agent } = context.input
    const violation =
      context.answer === null ? "" : violationOf(context.definition, context.answer, step)
    context.error = {
      code: "schema_violated",
      agent,
      message: `the response of agent "${agent}" does not match its output schema: ${violation}`,
    }
  },
  endTurn: (context, _event, _params, step) => endTurn(context, step),
}

/**
 * Applies the model's response to the turn and emits `model.responded`. If `isShown` is false, the
 * event does not contain the text of the response.
 */
export function applyAnswer(
  context: Context,
  event: MachineEvent,
  step: Step,
  isShown = true,
): void {
  applyHostChanges(context, event)
  const envelope = envelopeOf(event)
  if (!envelope.ok) return
  context.at = envelope.at
  context.answer = envelope.value
  context.toolCalls = proposeCalls(context, envelope.value)
  if (envelope.value.content !== null || context.toolCalls.length > 0) {
    // `concat` is called with an array. With a single message, it would be seven times slower.
    context.conversation = context.conversation.concat([
      assistantMessage(envelope.value, context.toolCalls),
    ])
  }
  const { agent, path, branch } = context.input
  const model = alternativeNameAt(context.definition, context.modelIndex ?? 0)
  const call = context.callKey
  const answer = isShown ? envelope.value : { ...envelope.value, content: null }
  if (model === null) step.emit({ type: "model.responded", call, answer, agent, path, branch })
  else step.emit({ type: "model.responded", call, answer, agent, path, branch, model })
}

/**
 * Sets the final text of the turn to the text of the last model response, and stores it under the
 * agent's output key. An empty text is also stored. If the response has no text, the output key
 * does not change.
 */
function endTurn(context: Context, step: Step): void {
  context.text = context.answer?.content ?? null
  saveText(context, step)
}

/**
 * Stores the agent's final text in the session state, under the agent's `outputKey`. If the agent
 * has an output schema or a task, stores the value that is parsed from the text.
 */
export function saveText(context: Context, step: Step): void {
  const { outputKey, adk } = context.definition
  const schema = adk?.outputSchema ?? null
  if (outputKey === null || context.text === null) return
  if (context.input.task !== undefined) {
    // A question to the user is not the result of the task, so it is not saved.
    if (context.answeredByTool)
      context.state = writeKey(context.state, outputKey, JSON.parse(context.text))
    return
  }
  if (schema !== null && isBlank(context.text)) return
  const read = schema === null ? null : readStructured(context.text, schema, step)
  context.state = writeKey(context.state, outputKey, read?.ok === true ? read.value : context.text)
}
