import { limitsOf, nextAttemptAt } from "./activity.js"
import type { ToolDefinition } from "./agent-chart.js"
import type { Envelope, JsonObject, ToolRequest } from "./contract.js"
import { toolMessage } from "./conversation.js"
import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"
import { placeOf, toolCallKey, toolCallPath, withLazyState } from "./llm-agent-context.js"
import { longRunningRequest, wrapResult } from "./long-running.js"
import type { PendingRequest } from "./pending-request.js"
import { applyPatch, patchOf } from "./session-state.js"
import type { Guard, MachineEvent, Step, Update } from "./step.js"
import { finished } from "./tool-call-proposal.js"
import { resolveTransfers } from "./transfer.js"
import type { TurnInput, TurnOutput } from "./turn.js"
import { named } from "./turn.js"

type Context = LlmAgentContext

/** Guards and updates of the state `callingTools`: every call is a child of its own, `tool.0`, `tool.1`. */
export const toolCallGuards: Readonly<Record<string, Guard<Context>>> = {
  toolHitLimit: (context) => context.toolCalls.some((call) => call.limit !== null),
  exitsAfterCalls: (context) => context.open === 0 && context.answer?.exitFlow === true,
  escalatesAfterCalls: (context) => context.open === 0 && context.answer?.escalate === true,
  handsOffAfterCalls: (context) => context.open === 0 && context.handoffTo !== null,
  toolAnswered: (context) => context.open === 0 && context.toolCalls.some((call) => call.finalText !== null),
  asksUserAfterCalls: (context) => context.open === 0 && context.answer?.waitForUserInput === true,
  turnLimitReached: (context) => context.open === 0 && context.turnCalls >= context.maxTurnCalls,
  resultsAreIn: (context) => context.open === 0,
}

export const toolCallUpdates: Readonly<Record<string, Update<Context>>> = {
  startToolCalls: (context, _event, _params, step) => {
    resolveTransfers(context)
    context.open = 0
    for (const [index, call] of context.toolCalls.entries()) {
      if (call.status === "finished") announceFinished(context, call, step)
      else startCall(context, index, step)
    }
  },
  stopToolCalls: (context, _event, _params, step) => {
    for (const [index, call] of context.toolCalls.entries()) if (call.status !== "finished") step.stop(`tool.${index}`)
  },
  applyToolResult: (context, event, _params, step) => {
    const index = Number((event["actorId"] as string).slice("tool.".length))
    const call = context.toolCalls[index]
    if (call === undefined) return
    const definition = step.chart.tools[call.tool]
    if (definition?.type === "AgentTool") applyTargetOutput(context, index, call, event["output"] as TurnOutput, definition, step)
    else applyEnvelope(context, index, call, event["output"] as Envelope, definition, step)
    reportPaused(context, step)
  },
  applyDelivery: (context, event, _params, step) => {
    const index = context.toolCalls.findIndex((call) => call.request?.id === event["id"])
    const call = context.toolCalls[index]
    if (call === undefined) return
    context.at = event["at"] as number
    step.announce({ ...placeOf(context.input), type: "human.answered", id: event["id"] as string, answer: { result: event["result"] } })
    finishCall(context, index, call, wrapResult(event["result"], step.chart.dialect), step)
    reportPaused(context, step)
  },
  grantConsent: (context, event, _params, step) => {
    const index = context.toolCalls.findIndex((call) => call.request?.id === event["id"])
    const call = context.toolCalls[index]
    if (call === undefined) return
    context.at = event["at"] as number
    const secret = (event["value"] as { readonly secret: string }).secret
    step.announce({ ...placeOf(context.input), type: "human.answered", id: event["id"] as string, answer: { secret } })
    replaceCall(context, index, { ...call, status: "running", request: null, grantedSecret: secret })
    context.open = context.open - 1
    startCall(context, index, step)
    reportPaused(context, step)
  },
  notePausedCall: (context, event, _params, step) => setCallStatus(context, event, "paused", step),
  noteResumedCall: (context, event, _params, step) => setCallStatus(context, event, "running", step),
  /** The results go into the history and the state in call order, whatever order they came in. */
  collectResults: (context) => {
    keepFinishedCalls(context)
    if (context.toolCalls.length > 0) context.conversation = [...context.conversation, toolMessage(context.toolCalls)]
    const limit = context.toolCalls.find((call) => call.limit !== null)?.limit
    if (limit != null) context.error = limit
  },
}

/** Writes what the finished calls changed, in call order. */
export function keepFinishedCalls(context: Context): void {
  let state = context.state
  for (const call of context.toolCalls) state = applyPatch(state, { set: call.set, removed: call.removed })
  context.state = state
}

/** Long-running calls and consents that are open. */
export const toolCallPending = (context: Context): readonly PendingRequest[] =>
  context.toolCalls.flatMap((call) => (call.request === null ? [] : [call.request]))

function startCall(context: Context, index: number, step: Step): void {
  const call = context.toolCalls[index] as OpenCall
  const definition = context.definition.tools.includes(call.tool) ? step.chart.tools[call.tool] : undefined
  if (definition === undefined) {
    const known = context.definition.declarations.map((declaration) => declaration.function.name)
    const error = `there is no tool "${call.tool}"; ${known.length === 0 ? "you have no tools" : `your tools are: ${known.join(", ")}`}`
    replaceCall(context, index, finished(call, { error }))
    announceFinished(context, context.toolCalls[index] as OpenCall, step)
    return
  }
  context.open = context.open + 1
  step.announce({
    ...placeOf(context.input),
    type: "tool.called",
    callId: call.id,
    tool: call.tool,
    arguments: call.args,
    attempt: call.attempt,
  })
  if (definition.type === "AgentTool") step.start(`tool.${index}`, definition.machine, targetInput(context, call, index, definition))
  else step.start(`tool.${index}`, "callTool", { request: toolRequest(context, call, index, definition, step), ...limitsOf(definition.activity, call.startedAt) })
}

function toolRequest(
  context: Context,
  call: OpenCall,
  index: number,
  definition: Extract<ToolDefinition, { type: "HttpTool" }>,
  step: Step,
): ToolRequest {
  const { runId, agent, branch, iteration } = context.input
  const request: Omit<ToolRequest, "state"> = {
    runId,
    agent,
    branch,
    path: toolCallPath(context, call, index),
    idempotencyKey: toolCallKey(context, call, index),
    attempt: call.attempt,
    tool: call.tool,
    endpoint: definition.endpoint,
    callId: call.id,
    arguments: call.args,
    context: step.chart.context,
    grantedSecret: call.grantedSecret,
  }
  return withLazyState(request, context.state, iteration)
}

/** An AgentTool's target runs on a copy of the caller's state with a conversation of its own (SPEC section 3). */
function targetInput(context: Context, call: OpenCall, index: number, definition: Extract<ToolDefinition, { type: "AgentTool" }>): TurnInput {
  const request = Object.hasOwn(call.args, "request") ? call.args["request"] : undefined
  return {
    runId: context.input.runId,
    agent: definition.targetAgent,
    path: `${toolCallPath(context, call, index)}#${context.calls - 1}/${definition.targetAgent}`,
    branch: context.input.branch,
    state: context.state,
    iteration: null,
    prompt: [{ role: "user", content: typeof request === "string" ? request : JSON.stringify(call.args) }],
    memory: null,
    remember: false,
    at: context.at,
  }
}

function applyEnvelope(
  context: Context,
  index: number,
  call: OpenCall,
  envelope: Envelope,
  definition: Extract<ToolDefinition, { type: "HttpTool" }> | undefined,
  step: Step,
): void {
  context.at = envelope.at
  if (call.status === "backingOff") {
    replaceCall(context, index, { ...call, status: "running", attempt: call.attempt + 1 })
    context.open = context.open - 1
    startCall(context, index, step)
    return
  }
  if (envelope.ok) {
    const request = longRunningRequest(context, call, index, envelope.value, definition?.expiresInMs ?? null)
    if (request === null) finishCall(context, index, call, wrapResult(envelope.value, step.chart.dialect), step)
    else {
      replaceCall(context, index, { ...call, status: "waiting", request })
      step.announce({ ...placeOf(context.input), type: "human.asked", request })
    }
    return
  }
  const due = definition === undefined ? null : nextAttemptAt(definition.activity, call.attempt, call.startedAt, envelope.error, envelope.at)
  if (due === null) {
    replaceCall(context, index, finished(call, { error: named(`tool "${call.tool}"`, envelope.error.message) }))
    context.open = context.open - 1
    announceFinished(context, context.toolCalls[index] as OpenCall, step)
    return
  }
  replaceCall(context, index, { ...call, status: "backingOff" })
  step.announce({
    ...placeOf(context.input),
    type: "retry.scheduled",
    of: toolCallKey(context, call, index),
    attempt: call.attempt + 1,
    until: due,
    error: envelope.error,
  })
  step.start(`tool.${index}`, "sleepUntil", { until: due })
}

function applyTargetOutput(
  context: Context,
  index: number,
  call: OpenCall,
  output: TurnOutput,
  definition: Extract<ToolDefinition, { type: "AgentTool" }>,
  step: Step,
): void {
  context.at = output.at
  if (output.signal === "limited") {
    replaceCall(context, index, { ...call, limit: output.error })
    return
  }
  const failed = output.signal === "failed" || output.signal === "stopped"
  const text = output.text ?? ""
  const outputKey = !failed && definition.outputKey !== null && output.text !== null ? { [definition.outputKey]: output.text } : {}
  replaceCall(
    context,
    index,
    finished(call, failed ? { error: output.error?.message ?? "the agent was stopped" } : wrapResult(text, step.chart.dialect), {
      set: { ...output.patch.set, ...outputKey },
      removed: output.patch.removed,
      finalText: !failed && definition.skipSummarization ? text : null,
    }),
  )
  context.open = context.open - 1
  announceFinished(context, context.toolCalls[index] as OpenCall, step)
}

function finishCall(context: Context, index: number, call: OpenCall, response: JsonObject, step: Step): void {
  const definition = step.chart.tools[call.tool]
  const outputKey = definition?.outputKey ?? null
  replaceCall(context, index, finished(call, response, outputKey === null ? {} : { set: { [outputKey]: response } }))
  context.open = context.open - 1
  announceFinished(context, context.toolCalls[index] as OpenCall, step)
}

function announceFinished(context: Context, call: OpenCall, step: Step): void {
  step.announce({ ...placeOf(context.input), type: "tool.finished", callId: call.id, tool: call.tool, response: call.response ?? {} })
}

const replaceCall = (context: Context, index: number, call: OpenCall): void => {
  context.toolCalls = context.toolCalls.with(index, call)
}

function setCallStatus(context: Context, event: MachineEvent, status: "paused" | "running", step: Step): void {
  const index = Number((event["child"] as string).slice("tool.".length))
  const call = context.toolCalls[index]
  if (call === undefined || call.status === "finished") return
  replaceCall(context, index, { ...call, status })
  reportPaused(context, step)
}

/** Tells the parent when nothing moves here until a person or a long-running tool answers, and when something does again. */
function reportPaused(context: Context, step: Step): void {
  const paused = context.open > 0 && context.toolCalls.every((call) => call.status === "waiting" || call.status === "paused" || call.status === "finished")
  if (paused === context.paused) return
  context.paused = paused
  if (paused) step.tellParent({ type: "child.paused", patch: patchOf(context.state), text: null, at: context.at })
  else step.tellParent({ type: "child.resumed" })
}
