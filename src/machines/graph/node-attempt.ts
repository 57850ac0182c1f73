import type { HostFunctionInput } from "../host-functions/host-function.js"
import type { ChartGraphNode } from "../contract/chart-graph.js"
import { appendHistory, branchHistory, contentsFor, userEntry } from "../contract/history.js"
import { isJsonObject } from "../data/json-object.js"
import type { JsonObject } from "../data/json-object.js"
import type { Step } from "../contract/machine-kind.js"
import type { TurnInput } from "../contract/turn.js"
import { isAgent, runsCode } from "./graph-context.js"
import { codeInput, textOf } from "./graph-turns.js"
import type { NodeCall, NodeValue } from "./node-result.js"
import type { NodeRunContext } from "./node-run-context.js"
import { locationOfRun, nodeFailure } from "./node-run-context.js"
import { violationText } from "./node-turn.js"

/**
 * Starts one attempt of a graph node as the child actor `run`, and a timer if the node has a
 * timeout. If the node is a JoinNode, or if its input violates its input schema, the attempt ends
 * immediately without an actor.
 */
export function startAttempt(context: NodeRunContext, step: Step): void {
  const { node, inputValue = {} } = context.input
  context.turn = null
  if (!isAgent(node) && context.attempt === 1 && context.questionCount === 0)
    step.emit({ type: "agent.started", kind: node.kind, ...locationOfRun(context) })
  const { inputSchema, timeoutMs } = node.options ?? {}
  const violation =
    inputSchema === undefined ? null : step.validate(inputSchema, inputValue.value ?? null)
  if (violation !== null) {
    context.turn = nodeFailure(context, violationText(node.id, "inputSchema", violation))
    return
  }
  const child = childOfNode(context, node, inputValue, step)
  if (child === null) return
  if (timeoutMs !== undefined)
    step.start("timeout", "sleepUntil", { until: context.at + timeoutMs })
  step.start("run", child.src, child.input)
}

interface Child {
  readonly src: string
  readonly input: unknown
}

function childOfNode(
  context: NodeRunContext,
  node: ChartGraphNode,
  inputValue: NodeValue,
  step: Step,
): Child | null {
  const { input, state, at } = context
  const { src } = node
  const turn = { ...turnOf(context), agent: node.id, state, at }
  if (src === null) {
    context.turn = {
      signal: "done",
      value: inputValue.value,
      patch: { set: {}, removed: [] },
      newEntries: [],
      questions: [],
      failure: null,
      error: null,
      at,
    }
    context.result = context.turn
    return null
  }
  if (node.worker !== undefined)
    return {
      src,
      input: {
        ...turn,
        node: node.worker,
        inputValue,
        most: node.options?.maxParallelWorkers ?? defaultWorkers,
        ...(input.subAgentExitFlow === "agent" && { subAgentExitFlow: "agent" }),
      },
    }
  if (node.graph !== undefined)
    return {
      src,
      input: { ...turn, graph: node.graph, inputValue, isRoot: input.inputValue === undefined },
    }
  if (!runsCode(node)) return { src, input: agentTurn(context, node, inputValue, step) }
  if (node.kind === "ToolNode") {
    const args = toolArguments(inputValue)
    if (args === null) {
      const message = `Node '${node.id}' failed: the input of a tool must be an object, a JSON text of an object, or nothing, not ${textOf(inputValue.value)}`
      context.turn = nodeFailure(context, { name: "TypeError", message })
      return null
    }
    const violation = node.parameters === undefined ? null : step.validate(node.parameters, args)
    if (violation !== null) {
      context.turn = nodeFailure(context, violationText(node.id, "inputSchema", violation))
      return null
    }
    return { src, input: codeInput(input, node, pathOf(context), args, state, at) }
  }
  const call: NodeCall = {
    ...(inputValue.value !== undefined && { input: inputValue.value }),
    attempt: context.attempt,
    answers: context.answers,
    ...(node.options?.stateSchema !== undefined && { stateSchema: node.options.stateSchema }),
  }
  const argument = node.options?.returnsNodeResult === true ? call : (inputValue.value ?? null)
  const code: HostFunctionInput = {
    ...codeInput(input, node, pathOf(context), inputValue.value ?? null, state, at),
    input: argument,
  }
  return { src, input: code }
}

/**
 * Maximum number of items that a ParallelWorker without `maxParallelWorkers` processes at the same
 * time.
 */
const defaultWorkers = 8

/**
 * Returns the path of an attempt of a node that runs a host function, such as `flow/draft#1`. Each
 * further attempt has another path, so that its calls have other idempotency keys.
 */
function pathOf({ input, attempt, questionCount: asked }: NodeRunContext): string {
  return attempt === 1 && asked === 0 ? input.path : `${input.path}#${attempt - 1 + asked}`
}

function toolArguments({ value }: NodeValue): JsonObject | null {
  if (value === undefined || value === null) return {}
  if (typeof value !== "string") return isJsonObject(value) ? value : null
  try {
    const parsed: unknown = JSON.parse(value)
    return isJsonObject(parsed) ? parsed : null
  } catch {
    return null
  }
}

const turnOf = ({
  input: { runId, path, branch, iteration, history },
  attempt,
}: NodeRunContext) => ({
  runId,
  // Each attempt of an agent or a graph has its own path, so its calls have different idempotency
  // keys.
  path: attempt === 1 ? path : `${path}~${attempt}`,
  branch,
  iteration,
  history,
  prompt: [],
  memory: null,
  remember: false,
})

/**
 * Returns the input for a node that runs an agent or a container. An agent receives the input of
 * the node as a user message. An LlmAgent sees the conversation only with the option
 * `seesConversation`.
 */
function agentTurn(
  context: NodeRunContext,
  node: ChartGraphNode,
  inputValue: NodeValue,
  { chart }: Step,
): TurnInput {
  const { input, state, at } = context
  const entry = userEntry(textOf(inputValue.value) ?? "")
  const seesConversation = node.options?.seesConversation === true || node.kind !== "LlmAgent"
  const history =
    seesConversation && input.history !== null
      ? input.isFirst === true
        ? input.history
        : appendHistory(input.history, [entry])
      : branchHistory([entry])
  const definition = chart.agents[node.id]
  const contents =
    definition?.type === "LlmAgent" ? (definition.adk?.includeContents ?? "default") : "default"
  return {
    ...turnOf(context),
    agent: node.id,
    state,
    prompt: contentsFor(node.id, history, contents),
    history,
    ...(node.options?.task !== undefined && { task: { schema: node.options.task } }),
    nodeValues: { input: inputValue.value ?? null, outputs: input.outputs ?? {} },
    at,
  }
}
