import { limitsOf } from "./activity.js"
import type { ToolDefinition } from "./agent-chart.js"
import type { JsonObject, ToolRequest } from "./contract.js"
import { userEntry } from "./history.js"
import type { LlmAgentContext, OpenCall } from "./llm-agent-context.js"
import { lazyState, placeOf, toolCallKey, toolCallPath } from "./llm-agent-context.js"
import { confirmationRequest, wrapResult } from "./long-running.js"
import { patchOf } from "./session-state.js"
import type { MachineEvent, Step } from "./step.js"
import { finished } from "./tool-call-proposal.js"
import type { TurnInput } from "./turn.js"

type Context = LlmAgentContext

/** Starts one tool call as a child of its own, or settles it at once: an unknown tool, refused arguments, `exit_loop`. */
export function startCall(context: Context, index: number, step: Step): void {
  const call = context.toolCalls[index] as OpenCall
  const definition = context.definition.tools.includes(call.tool) ? step.chart.tools[call.tool] : undefined
  if (definition === undefined) {
    const known = context.definition.declarations.map((declaration) => declaration.function.name)
    const error = `there is no tool "${call.tool}"; ${known.length === 0 ? "you have no tools" : `your tools are: ${known.join(", ")}`}`
    replaceCall(context, index, finished(call, { error }))
    announceFinished(context, context.toolCalls[index] as OpenCall, step)
    return
  }
  if (definition.type === "ExitLoopTool") {
    context.leavesLoop = true
    replaceCall(context, index, finished(call, wrapResult(null, step.chart.dialect)))
    announceFinished(context, context.toolCalls[index] as OpenCall, step)
    return
  }
  const refused = definition.type === "AgentTool" ? brokenInput(call, definition, step) : null
  if (refused !== null) {
    replaceCall(context, index, finished(call, { error: refused }))
    announceFinished(context, context.toolCalls[index] as OpenCall, step)
    return
  }
  context.open = context.open + 1
  if (definition.type === "HttpTool" && definition.requireConfirmation === true && !call.confirmed) {
    const request = confirmationRequest(context, call, index, definition.expiresInMs)
    replaceCall(context, index, { ...call, status: "waiting", request })
    step.announce({ ...placeOf(context.input), type: "human.asked", request })
    reportPaused(context, step)
    return
  }
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

/** Arguments that break the target's input schema never reach it (SPEC section 12). */
function brokenInput(call: OpenCall, { targetAgent }: Extract<ToolDefinition, { type: "AgentTool" }>, step: Step): string | null {
  const target = step.chart.agents[targetAgent]
  const schema = target?.type === "LlmAgent" ? (target.adk?.inputSchema ?? null) : null
  const violation = schema === null ? null : step.validate(schema, call.args)
  return violation === null ? null : `the arguments break the input schema of "${targetAgent}": ${violation}`
}

function toolRequest(
  context: Context,
  call: OpenCall,
  index: number,
  definition: Extract<ToolDefinition, { type: "HttpTool" }>,
  step: Step,
): ToolRequest {
  const { runId, agent, branch, iteration } = context.input
  const state = lazyState(context.state, iteration)
  return {
    get state() {
      return state()
    },
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
}

/** An AgentTool's target runs on a copy of the caller's state with a conversation of its own (SPEC section 3). */
function targetInput(context: Context, call: OpenCall, index: number, definition: Extract<ToolDefinition, { type: "AgentTool" }>): TurnInput {
  const request = Object.hasOwn(call.args, "request") ? call.args["request"] : undefined
  const prompt = typeof request === "string" ? request : JSON.stringify(call.args)
  return {
    runId: context.input.runId,
    agent: definition.targetAgent,
    path: `${toolCallPath(context, call, index)}#${context.calls - 1}/${definition.targetAgent}`,
    branch: context.input.branch,
    state: context.state,
    iteration: null,
    prompt: [{ role: "user", content: prompt }],
    history: context.input.history === null ? null : [userEntry(prompt)],
    artifacts: context.input.artifacts,
    memory: null,
    remember: false,
    at: context.at,
  }
}

export function announceAnswer(context: Context, event: MachineEvent, answer: JsonObject, step: Step): void {
  step.announce({ ...placeOf(context.input), type: "human.answered", id: event["id"] as string, answer })
}

export function announceFinished(context: Context, call: OpenCall, step: Step): void {
  step.announce({ ...placeOf(context.input), type: "tool.finished", callId: call.id, tool: call.tool, response: call.response ?? {} })
}

export const replaceCall = (context: Context, index: number, call: OpenCall): void => {
  context.toolCalls = context.toolCalls.with(index, call)
}

/** Tells the parent when nothing moves here until a person or a long-running tool answers, and when something does again. */
export function reportPaused(context: Context, step: Step): void {
  const paused = context.open > 0 && context.toolCalls.every((call) => call.status === "waiting" || call.status === "paused" || call.status === "finished")
  if (paused === context.paused) return
  context.paused = paused
  if (paused) step.tellParent({ type: "child.paused", patch: patchOf(context.state), text: null, at: context.at })
  else step.tellParent({ type: "child.resumed" })
}
