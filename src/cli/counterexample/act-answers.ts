import { requiredProperties, sampleFromSchema } from "../../analysis/worst-case/schema-sample.js"
import type { ScriptedAct } from "../../analysis/index.js"
import type { FailureClass } from "../../machines/contract/activity.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import {
  builtInExitLoop,
  exitLoop,
  transferTool,
} from "../../machines/model-call/built-in-tools.js"
import type { Waiting } from "./directed-services.js"
import type { StubStep } from "./stub-module.js"

const anyText = "ok"

/** Returns the JSON Schema for the output of an agent, or null if the agent has none. */
export function outputSchemaOf(agent: string, { agents }: AgentChart): JsonObject | null {
  const definition = Object.hasOwn(agents, agent) ? agents[agent] : undefined
  return definition?.type === "LlmAgent" ? (definition.adk?.outputSchema ?? null) : null
}

/**
 * Returns the text of a scripted model response. If the agent has an output schema, the text is
 * JSON. `response` is the value to return. If it is undefined, the function creates a sample value.
 * If it is null, the response has no text.
 */
export function textOf(agent: string, response: unknown, chart: AgentChart): string | null {
  if (response === null) return null
  const schema = outputSchemaOf(agent, chart)
  const value = response ?? (schema === null ? anyText : sampleFromSchema(schema))
  return typeof value === "string" && schema === null ? value : JSON.stringify(value)
}

/** Returns sample arguments for a tool call. They contain all required parameters of the tool. */
export function argumentsOf(agent: string, tool: string, chart: AgentChart): JsonObject {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  if (definition?.type !== "LlmAgent") return {}
  const declared = definition.declarations.find(({ function: { name } }) => name === tool)
  return requiredProperties(declared?.function.parameters ?? {})
}

export const toolCall = (name: string, args: JsonObject): JsonObject => ({
  function_name: name === builtInExitLoop ? exitLoop : name,
  function_args: args,
})

/**
 * Scripted responses that make a model call fail, by failure class. For example, `rate_limited` is
 * a response with the HTTP status 429.
 */
export const failures = {
  timeout: { httpStatus: 408 },
  rate_limited: { httpStatus: 429 },
  unavailable: { httpStatus: 503 },
  refused: { httpStatus: 400 },
  malformed: { malformed: "{" },
  context_too_long: {
    httpStatus: 400,
    error: { message: "The conversation exceeds the context length." },
  },
} as const satisfies Readonly<Record<FailureClass, JsonObject>>

/**
 * Returns a scripted response that makes a model call fail. No fallback rule of the agent applies
 * to this failure, so the run calls no fallback model.
 */
function lastFailure(agent: string, { agents }: AgentChart): JsonObject {
  const definition = agents[agent]
  const fallbacks = definition?.type === "LlmAgent" ? (definition.fallback ?? []) : []
  // A redirect belongs to no class of failures.
  return fallbacks.some(({ on }) => on.includes("refused")) ? { httpStatus: 302 } : failures.refused
}

/**
 * Converts a model response in a counterexample to a scripted response for a scenario file. Throws
 * a `TypeError` if the step of the counterexample does not belong to a model.
 */
export function modelEntry({ act, value }: ScriptedAct, chart: AgentChart): JsonObject {
  if (act.by !== "model")
    throw new TypeError(
      `a step of the counterexample must be the response of a model, not of a ${act.by}`,
    )
  const { agent, calls, asks, transfersTo, fails } = act
  if (fails) return act.failure === undefined ? lastFailure(agent, chart) : failures[act.failure]
  const toolCalls = [
    ...calls.map((name) => toolCall(name, argumentsOf(agent, name, chart))),
    ...(transfersTo === null ? [] : [toolCall(transferTool, { agent_name: transfersTo })]),
  ]
  const isFinal = toolCalls.length === 0 && asks !== "hitlRequest"
  return {
    content: isFinal || value !== undefined ? textOf(agent, value, chart) : null,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(asks !== null &&
      (asks === "hitlRequest"
        ? { hitlRequest: { prompt: "May I?", actionDetails: {} } }
        : { [asks]: true })),
  }
}

/**
 * Converts a tool result in a counterexample to a scripted result for a scenario file. Throws a
 * `TypeError` if the step of the counterexample does not belong to a tool.
 */
export function toolEntry({ act, value }: ScriptedAct): JsonObject {
  if (act.by !== "tool")
    throw new TypeError(
      `a step of the counterexample must be the result of a tool, not of a ${act.by}`,
    )
  switch (act.result) {
    case "error":
      return { httpStatus: 400 }
    case "pending":
      return { json: { pending: true } }
    case "value":
      return value === undefined ? { json: { done: true } } : { json: value }
  }
}

/**
 * Converts a step of a counterexample to the action of a stub, which replaces a tool or host
 * function. `waiting` is the call that the stub answers. Throws a `TypeError` if the step belongs
 * to neither a tool nor a function.
 */
export function stubStep({ act, value, writes }: ScriptedAct, waiting: Waiting): StubStep {
  if (act.by === "tool")
    return act.result === "error"
      ? { return: { error: "it failed" } }
      : { return: act.result === "pending" ? { pending: true } : (value ?? { done: true }) }
  if (act.by !== "function")
    throw new TypeError(
      `the counterexample contains a step by "${act.by}", but this stub can only return results of tools and host functions`,
    )
  const keys = act.writes.filter((key) => !Object.hasOwn(writes, key))
  const set = { ...Object.fromEntries(keys.map((key) => [key, anyText])), ...writes }
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(act.changesArguments && { changeArguments: true }),
    ...(act.escalates && { escalate: true }),
    ...(act.transfersTo !== null && { transferTo: act.transfersTo }),
    ...(act.skipsSummarization && { skipSummarization: true }),
    ...endOf(act.ends, act.value, waiting),
  }
}

function endOf(
  ends: "returns" | "throws" | "answers" | "fails" | "pending" | "judges" | "runs",
  value: string | null,
  waiting: Waiting,
): StubStep {
  switch (ends) {
    case "throws":
      return { throw: "it failed" }
    case "runs":
      return value === null ? {} : { run: value }
    case "judges":
      return { return: { outcome: value } }
    case "pending":
      return { return: { pending: true } }
    case "fails":
      return { return: { error: "it failed" } }
    case "answers":
      return { return: waiting.tool === null ? { content: anyText } : { answered: true } }
    case "returns":
      return value === null ? defaultStep(waiting) : { return: value }
  }
}

/** Returns the default action of a stub, for calls that are not part of the counterexample. */
export function defaultStep({
  hook,
  tool,
  kind,
}: Pick<Waiting, "hook" | "tool" | "kind">): StubStep {
  if (hook !== null) return {}
  return kind === "listed" || tool !== null ? { return: { done: true } } : { return: anyText }
}
