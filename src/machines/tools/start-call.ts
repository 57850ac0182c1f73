import type { AgentTask } from "../model-call/finish-task.js"
import {
  finishTask,
  finishTaskSuccess,
  taskParameters,
  taskValue,
} from "../model-call/finish-task.js"
import { limitsOf } from "../model-call/retry-policy.js"
import { templateValues } from "../contract/graphs/graph-values.js"
import type { ToolDefinition } from "../contract/tool-definition.js"
import { askHooks, recordFinishedCall, replaceCall, reportCallsPaused } from "./call-progress.js"
import type { ToolCalledEvent } from "../contract/machine-kind.js"
import type { ToolRequest } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import { awaitExpiry } from "../requests/expiry.js"
import type { HostFunctionInput } from "../host-functions/host-function.js"
import { branchHistory, userEntry } from "../contract/history.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import { locationOf, toolCallKey, toolCallPath } from "../model-call/llm-agent-context.js"
import { confirmationRequest, wrapResult } from "./long-running.js"
import { withState } from "../requests/request-state.js"
import type { Step } from "../contract/machine-kind.js"
import { finished } from "../model-call/tool-call-proposal.js"
import type { ToolsetInput } from "../model-call/toolset.js"
import { calledTool, declarationsOf, listedTool } from "../model-call/turn-tools.js"
import type { TurnInput } from "../contract/turn.js"

type Context = LlmAgentContext

/**
 * Starts the tool call with this index as a child actor. The call finishes immediately if the tool
 * is unknown, if the arguments are invalid, or if the tool is `exit_loop`.
 */
export function startCall(context: Context, index: number, step: Step): void {
  const call = context.toolCalls[index] as OpenCall
  if (call.tool === finishTask && context.input.task !== undefined)
    return finishTaskCall(context, index, context.input.task, step)
  const definition = calledTool(context, call.tool, step.chart)
  if (definition === undefined) {
    const known = declarationsOf(context).map((declaration) => declaration.function.name)
    const error = `there is no tool "${call.tool}"; ${known.length === 0 ? "you have no tools" : `your tools are: ${known.join(", ")}`}`
    recordFinishedCall(context, index, finished(call, { error }), step, error)
    return
  }
  if (definition.type === "ExitLoopTool") {
    context.leavesLoop = true
    recordFinishedCall(context, index, finished(call, wrapResult(null, step.chart.dialect)), step)
    return
  }
  const refused = argumentViolation(context, call, definition, step)
  if (refused !== null) {
    recordFinishedCall(context, index, finished(call, { error: refused }), step, refused)
    return
  }
  context.open = context.open + 1
  const { policies, hooks } = context.definition.adk ?? {}
  if (policies !== undefined && !call.isJudged) {
    askHooks(context, index, { ...call, stage: "policy" }, policies, {}, step)
    return
  }
  const mustConfirm =
    call.objection !== null ||
    (definition.type !== "AgentTool" && definition.requireConfirmation === true)
  if (mustConfirm && !call.isConfirmed)
    return askForApproval(context, index, call, definition, step)
  if (hooks?.beforeTool !== undefined && !call.haveHooksRun) {
    askHooks(context, index, { ...call, stage: "beforeTool" }, hooks.beforeTool, {}, step)
    return
  }
  const called: ToolCalledEvent = {
    type: "tool.called",
    callId: call.id,
    tool: call.tool,
    arguments: call.args,
    attempt: call.attempt,
    ...locationOf(context.input),
  }
  const judgement = step.judge(called)
  if (judgement?.action === "end") return
  if (judgement?.action === "ask") {
    const asking = { ...call, objection: judgement.message }
    return askForApproval(context, index, asking, definition, step)
  }
  if (judgement?.action === "refuse") {
    context.open = context.open - 1
    return recordFinishedCall(context, index, finished(call, { error: judgement.message }), step)
  }
  if (call.stage !== "call") replaceCall(context, index, { ...call, stage: "call" })
  step.emit(called)
  const id = `tool.${index}`
  switch (definition.type) {
    case "AgentTool":
      return step.start(id, definition.machine, targetInput(context, call, index, definition))
    case "FunctionTool":
      return step.start(id, "hostCode", functionInput(context, call, index, definition))
    case "HttpTool":
      return step.start(id, "callTool", {
        request: toolRequest(context, call, index, definition, step),
        ...limitsOf(definition.activity, call.startedAt),
      })
  }
}

/** Creates the pending request in which a person approves or rejects a tool call. */
function askForApproval(
  context: Context,
  index: number,
  call: OpenCall,
  definition: Exclude<ToolDefinition, { type: "ExitLoopTool" }>,
  step: Step,
): void {
  const request = confirmationRequest(context, call, index, definition.expiresInMs ?? null)
  replaceCall(context, index, { ...call, status: "waiting", request })
  step.emit({ type: "human.asked", request, ...locationOf(context.input) })
  awaitExpiry(step, `tool.${index}`, request)
  reportCallsPaused(context, step)
}

/**
 * Ends the task of an agent whose model called `finish_task`. The arguments contain the result of
 * the task. If they are invalid, the model receives an error and is called again.
 */
function finishTaskCall(context: Context, index: number, task: AgentTask, step: Step): void {
  const call = context.toolCalls[index] as OpenCall
  const violation = step.validate(taskParameters(task), call.args)
  if (violation !== null) {
    const error = `the arguments of "${finishTask}" do not match its parameters schema: ${violation}`
    recordFinishedCall(context, index, finished(call, { error }), step)
    return
  }
  const finalText = JSON.stringify(taskValue(task, call.args) ?? null)
  recordFinishedCall(
    context,
    index,
    finished(call, { result: finishTaskSuccess }, { finalText }),
    step,
  )
}

/**
 * Starts an unfinished tool call again, either for its next attempt or after its pending request
 * was answered.
 */
export function restartCall(context: Context, index: number, call: OpenCall, step: Step): void {
  replaceCall(context, index, { ...call, status: "running" })
  context.open = context.open - 1
  startCall(context, index, step)
}

function functionInput(
  context: Context,
  call: OpenCall,
  index: number,
  { service, factory }: { readonly service: string; readonly factory?: JsonObject },
): HostFunctionInput {
  const { runId, agent, branch, iteration } = context.input
  const path = `${toolCallPath(context, call, index)}#${context.calls - 1}`
  const listed = listedTool(context, call.tool)
  const input: unknown =
    listed === undefined
      ? call.args
      : ({ verb: "call", tool: listed.tool, arguments: call.args } satisfies ToolsetInput)
  return {
    runId,
    agent,
    branch,
    path,
    service,
    input,
    state: context.state,
    iteration,
    steps: [],
    agents: [],
    toolCall: { id: call.id, tool: call.tool },
    factory: factory ?? null,
    at: context.at,
  }
}

/**
 * Returns an error message if the arguments of a tool call violate the JSON schema of its function
 * or target agent. Otherwise, returns null. Invalid arguments are neither used nor sent for
 * approval, even if a person or a callback edited them.
 */
function argumentViolation(
  context: Context,
  call: OpenCall,
  definition: ToolDefinition,
  step: Step,
): string | null {
  if (
    definition.type === "FunctionTool" ||
    (definition.type === "HttpTool" && definition.endpoint.operation !== undefined)
  ) {
    // A callback before the call can still complete the arguments.
    if (context.definition.adk?.hooks?.beforeTool !== undefined && !call.haveHooksRun) return null
    const declared = declarationsOf(context).find(
      (declaration) => declaration.function.name === call.tool,
    )
    const violation =
      declared === undefined ? null : step.validate(declared.function.parameters, call.args)
    return violation === null
      ? null
      : `the arguments of "${call.tool}" do not match its parameters schema: ${violation}`
  }
  if (definition.type !== "AgentTool") return null
  const { targetAgent } = definition
  const target = step.chart.agents[targetAgent]
  const schema = target?.type === "LlmAgent" ? (target.adk?.inputSchema ?? null) : null
  const violation = schema === null ? null : step.validate(schema, call.args)
  return violation === null
    ? null
    : `the arguments do not match the input schema of "${targetAgent}": ${violation}`
}

function toolRequest(
  context: Context,
  call: OpenCall,
  index: number,
  definition: Extract<ToolDefinition, { type: "HttpTool" }>,
  step: Step,
): ToolRequest {
  const { runId, agent, branch, iteration } = context.input
  const { maximumAttempts } = definition.activity
  const fields = {
    runId,
    agent,
    branch,
    path: toolCallPath(context, call, index),
    idempotencyKey: toolCallKey(context, call, index),
    attempt: call.attempt,
    ...(maximumAttempts > 1 && { maximumAttempts }),
    tool: call.tool,
    endpoint: definition.endpoint,
    callId: call.id,
    arguments: call.args,
    ...templateValues(step.chart, context.state),
    grantedSecret: call.grantedSecret,
  }
  return withState(fields, context.state, iteration)
}

/**
 * Returns the input for the agent that an AgentTool runs. The agent receives a copy of the caller's
 * state and starts a new conversation (docs/semantics.md#agent-tools).
 */
function targetInput(
  context: Context,
  call: OpenCall,
  index: number,
  definition: Extract<ToolDefinition, { type: "AgentTool" }>,
): TurnInput {
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
    history: context.input.history === null ? null : branchHistory([userEntry(prompt)]),
    memory: null,
    remember: false,
    at: context.at,
  }
}
