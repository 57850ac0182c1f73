import { runsCode } from "./graph-context.js"
import type { ChartGraph, ChartGraphNode } from "../contract/chart-graph.js"
import type { EdgeOutput } from "./graph-progress.js"
import { contentsFor, branchHistory, userEntry } from "../contract/history.js"
import type { History } from "../contract/history.js"
import type { HostFunctionInput, HostFunctionOutput } from "../host-functions/host-function.js"
import { isJsonObject } from "../data/json-object.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import { applyPatch, forkState, patchOf } from "../data/session-state.js"
import type { Lookup } from "../contract/machine-kind.js"
import { valueOfText } from "../model-call/structured-output.js"
import type { ToolNodeInput } from "../host-functions/tool-node.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { withSubject } from "../contract/turn.js"

/** Result of a node of a workflow graph. All kinds of nodes have this type of result. */
export interface NodeTurn {
  readonly signal: Outcome
  readonly output: unknown
  readonly text: string | null
  readonly patch: StatePatch
  readonly newEntries: History
  readonly escalates: boolean
  readonly error: RunError | null
  readonly at: number
}

/**
 * Result of a workflow graph. If the graph is a node of another graph, the next node of that graph
 * receives `output`.
 */
export type GraphOutput = TurnOutput & { readonly output: unknown }

/**
 * Returns the input of a node (docs/semantics.md#workflow-graphs). If one edge delivered an output,
 * this output is the input. If several edges did, or if the node is a JoinNode, the input is an
 * object with the outputs by node id.
 */
export function nodeInput(
  node: ChartGraphNode,
  tokens: readonly EdgeOutput[],
  { nodes, edges }: ChartGraph,
): unknown {
  const [only] = tokens
  if (only !== undefined && tokens.length === 1 && node.kind !== "JoinNode") return only.output
  return Object.fromEntries(
    tokens.map(({ edge, output }) => [nodes[edges[edge]?.from ?? -1]?.id ?? "START", output]),
  )
}

export const textOf = (output: unknown): string | null =>
  output === null || output === undefined
    ? null
    : typeof output === "string"
      ? output
      : JSON.stringify(output)

/**
 * Returns the input of a node that runs an agent. The first agents of the graph see the session
 * history. Later agents receive only the input of their node, as a user message.
 */
export function agentInput(
  graphInput: TurnInput,
  node: ChartGraphNode,
  path: string,
  input: unknown,
  isFirst: boolean,
  state: SessionState,
  at: number,
  { chart }: Lookup,
): TurnInput {
  const text = textOf(input) ?? ""
  const history =
    graphInput.history === null || isFirst ? graphInput.history : branchHistory([userEntry(text)])
  const definition = chart.agents[node.id]
  const contents =
    definition?.type === "LlmAgent" ? (definition.adk?.includeContents ?? "default") : "default"
  const prompt =
    history === null
      ? isFirst
        ? graphInput.prompt
        : [{ role: "user" as const, content: text }]
      : contentsFor(node.id, history, contents)
  return { ...turnOf(graphInput), agent: node.id, path, state, prompt, history, at }
}

const turnOf = ({ runId, branch, iteration }: TurnInput) => ({
  runId,
  branch,
  iteration,
  memory: null,
  remember: false,
})

/**
 * Returns the input of a node's host function. If the node calls a tool and the input is not an
 * object, wraps the input as `{ input }`.
 */
export const argumentsOf = (node: ChartGraphNode, input: unknown): unknown =>
  node.kind === "ToolNode" && !isJsonObject(input) ? { input } : input

export function codeInput(
  { runId, branch, iteration }: TurnInput,
  node: ChartGraphNode,
  path: string,
  input: unknown,
  state: SessionState,
  at: number,
): HostFunctionInput | ToolNodeInput {
  const { id, src, tool, parameters = null, expiresInMs = null, onExpiry } = node
  const code: HostFunctionInput = {
    runId,
    agent: id,
    path,
    branch,
    iteration,
    service: node.service ?? id,
    input: argumentsOf(node, input),
    state,
    steps: [],
    agents: [],
    ...(tool !== undefined && { toolCall: { id: path, tool } }),
    at,
  }
  if (src !== "toolNode") return code
  const expires = { expiresInMs, ...(onExpiry !== undefined && { onExpiry }) }
  return { ...code, approval: { tool: tool ?? id, callId: path, parameters, ...expires } }
}

/**
 * Computes the result of a finished node from the output of the machine that ran it (`result`).
 * `before` is the session state at the start of the node.
 */
export function turnOfNode(
  node: ChartGraphNode,
  result: unknown,
  before: SessionState,
  lookup: Lookup,
): NodeTurn {
  if (runsCode(node)) return turnOfCode(node, result as HostFunctionOutput, before)
  const { signal, text, lastText, patch, newEntries, escalates, error, at } = result as TurnOutput
  const finalText = text ?? lastText
  const output =
    node.graph === undefined
      ? valueOfText(node.id, finalText, lookup)
      : (result as GraphOutput).output
  return {
    signal,
    output,
    text: finalText,
    patch,
    newEntries,
    escalates: escalates || signal === "escalated",
    error,
    at,
  }
}

function turnOfCode(
  node: ChartGraphNode,
  { outcome, value, changed, escalates, error, at }: HostFunctionOutput,
  before: SessionState,
): NodeTurn {
  const signal = outcome === "returned" ? "done" : outcome === null ? "stopped" : "failed"
  const patch = patchOf(changed.reduce(applyPatch, forkState(before)))
  return {
    signal,
    output: value ?? null,
    text: textOf(value),
    patch,
    newEntries: [],
    escalates,
    error: error && { ...error, message: namingNode(node, error.message) },
    at,
  }
}

/**
 * Returns an error message that starts with the name of the node. If the host function has the same
 * name as the node, this name is not repeated.
 */
function namingNode({ id, service }: ChartGraphNode, message: string): string {
  const own = service === id ? `"${id}" failed: ` : ""
  return withSubject(
    `the node "${id}"`,
    message.startsWith(own) ? message.slice(own.length) : message,
  )
}

/**
 * Returns the routes that a node chose and the output that the next nodes receive. The result of
 * the node can be a route, a list of routes, `{ route }` or `{ route, output }`. If the result has
 * no `output`, the next nodes receive the input of this node.
 */
export function readRoutes(
  result: unknown,
  given: unknown,
): { readonly routes: readonly string[]; readonly output: unknown } {
  const routeValue =
    isJsonObject(result) && Object.hasOwn(result, "route")
      ? result["route"]
      : isJsonObject(result)
        ? null
        : result
  const output = isJsonObject(result) && Object.hasOwn(result, "output") ? result["output"] : given
  const routes = (Array.isArray(routeValue) ? routeValue : [routeValue]).filter((route) =>
    ["string", "number", "boolean"].includes(typeof route),
  )
  return { routes: routes.map((route) => String(route).trim()), output }
}
