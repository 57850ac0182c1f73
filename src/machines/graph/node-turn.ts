import type { ChartGraphNode } from "../contract/chart-graph.js"
import { historyEntries } from "../contract/history.js"
import type { Lookup } from "../contract/machine-kind.js"
import type { NodeFailure } from "../contract/run-event.js"
import type { TurnOutput } from "../contract/turn.js"
import { applyPatch, emptyPatch, forkState, patchOf } from "../data/session-state.js"
import type { StatePatch } from "../data/session-state.js"
import { isJsonObject } from "../data/json-object.js"
import type { HostFunctionOutput } from "../host-functions/host-function.js"
import { valueOfText } from "../model-call/structured-output.js"
import { runsCode } from "./graph-context.js"
import { readRoutes, textOf } from "./graph-turns.js"
import { isNodeResult } from "./node-result.js"
import type { NodeRunContext, NodeRunOutput, AttemptTurn } from "./node-run-context.js"
import { nodeFailure } from "./node-run-context.js"

/**
 * Computes the result of an attempt to run a graph node. `output` is the output of the child actor
 * that ran the node. Validates this output and the state changes.
 */
export function turnOfAttempt(
  context: NodeRunContext,
  output: unknown,
  lookup: Lookup,
): AttemptTurn {
  const { node } = context.input
  const turn = runsCode(node)
    ? turnOfCode(context, output as HostFunctionOutput)
    : node.graph !== undefined || node.worker !== undefined
      ? turnOfMachine(context, output as NodeRunOutput)
      : turnOfAgent(context, output as TurnOutput, lookup)
  if (turn.signal !== "done" || turn.questions.length > 0) return turn
  const { outputSchema, stateSchema } = node.options ?? {}
  const atEnd = { ...context, at: turn.at }
  const violation =
    outputSchema === undefined || turn.value === undefined
      ? null
      : lookup.validate(outputSchema, turn.value)
  if (violation !== null)
    return nodeFailure(atEnd, violationText(node.id, "outputSchema", violation))
  const wrong = stateSchema === undefined ? null : stateViolation(stateSchema, turn.patch, lookup)
  return wrong === null ? turn : nodeFailure(atEnd, wrong)
}

export const violationText = (
  id: string,
  side: "inputSchema" | "outputSchema",
  violation: string,
): NodeFailure => ({
  name: "NodeSchemaValidationError",
  message: `Node '${id}': the ${side === "inputSchema" ? "input" : "output"} does not match its ${side}: ${violation}`,
})

/**
 * Returns the failure of a graph node whose state changes violate its state schema. Returns null if
 * they are valid.
 */
function stateViolation(
  schema: Readonly<Record<string, unknown>>,
  { set, removed }: StatePatch,
  lookup: Lookup,
): NodeFailure | null {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {}
  for (const key of [...Object.keys(set), ...removed]) {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (declared === undefined) return stateFailure(key, `it is not declared in the state schema`)
    const violation =
      isJsonObject(declared) && Object.hasOwn(set, key) ? lookup.validate(declared, set[key]) : null
    if (violation !== null)
      return stateFailure(key, `its value does not match the state schema: ${violation}`)
  }
  return null
}

const stateFailure = (key: string, reason: string): NodeFailure => ({
  name: "StateSchemaError",
  message: `The state key '${key}' cannot be written: ${reason}`,
})

const nothing = { newEntries: [], questions: [], failure: null, error: null } as const

function turnOfCode(context: NodeRunContext, output: HostFunctionOutput): AttemptTurn {
  const { node, inputValue = {} } = context.input
  const { outcome, value, changed, error, at } = output
  const atEnd = { ...context, at }
  if (outcome === null) return { ...nothing, signal: "stopped", patch: emptyPatch, at }
  if (outcome !== "returned" || error !== null)
    return nodeFailure(
      atEnd,
      { name: "Error", message: `Node '${node.id}' failed: ${error?.message ?? "it was stopped"}` },
      error,
    )
  const patch = patchOf(changed.reduce(applyPatch, forkState(context.state)))
  const done = { ...nothing, signal: "done", patch, at } as const
  if (node.options?.returnsNodeResult !== true) {
    if (node.kind === "ToolNode") return { ...done, value }
    if (node.kind !== "RouterNode" && context.input.choosesRoute !== true)
      return value === null || value === undefined ? done : { ...done, value }
    const { routes, output: passedOn } = readRoutes(value, inputValue.value)
    return {
      ...done,
      route: routes.length === 1 ? routes[0] : routes,
      ...(passedOn !== undefined && { value: passedOn }),
    }
  }
  if (!isNodeResult(value)) return done
  const { output: result, route, isShown, questions = [], failure } = value
  if (failure !== undefined) return nodeFailure(atEnd, failure)
  const text = result === undefined ? null : textOf(result)
  return {
    ...done,
    questions,
    ...(result !== undefined && { value: result }),
    ...(route !== undefined && { route }),
    ...(isShown === true && { isShown }),
    newEntries:
      text === null ? [] : historyEntries(node.id, [{ role: "assistant", content: text }]),
  }
}

function turnOfMachine(context: NodeRunContext, output: NodeRunOutput): AttemptTurn {
  const { signal, result, patch, newEntries, error, failure, at } = output
  const isGraph = context.input.node.graph !== undefined
  if (signal === "failed")
    return {
      ...nodeFailure(
        { ...context, at },
        failure ?? { name: "Error", message: error?.message ?? "the node failed" },
        error,
      ),
      // If a graph fails, the state changes of its finished nodes are kept.
      patch: isGraph ? patch : emptyPatch,
    }
  return {
    ...nothing,
    signal: signal === "escalated" ? "done" : signal,
    ...result,
    patch,
    newEntries,
    error,
    at,
    // The event of the graph's last node already contains the output.
    ...(isGraph && { isShown: true as const }),
  }
}

/**
 * Returns the output of a node that runs an agent. It is the parsed text if the agent has a task or
 * an output schema, and otherwise the text. If the text of an agent with a task is not JSON,
 * because the task has no result, the output is the text.
 */
function agentValue({ id, options }: ChartGraphNode, text: string, lookup: Lookup): unknown {
  if (options?.task === undefined) return valueOfText(id, text, lookup)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function turnOfAgent(context: NodeRunContext, output: TurnOutput, lookup: Lookup): AttemptTurn {
  const { node } = context.input
  const { signal, text, lastText, patch, newEntries, error, at } = output
  if (signal === "failed") {
    const failure = {
      name: "NodeReportedError",
      message: `Node '${node.id}' failed: ${error?.message ?? "the agent failed"}`,
    }
    return { ...nodeFailure({ ...context, at }, failure, error), newEntries }
  }
  const hasOutput = ["LlmAgent", "HumanAgent", "WorkflowAgent", "Workflow"].includes(node.kind)
  const finalText = text ?? lastText
  const ended = signal === "escalated" || signal === "handedOff" ? "done" : signal
  return {
    ...nothing,
    signal: ended,
    patch,
    newEntries,
    error,
    at,
    // The output of a WaitAgent is its input.
    ...(node.kind === "WaitAgent" &&
      context.input.inputValue?.value !== undefined && { value: context.input.inputValue.value }),
    ...(hasOutput && finalText !== null && { value: agentValue(node, finalText, lookup) }),
  }
}
