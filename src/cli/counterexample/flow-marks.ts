import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { transferTool } from "../../machines/model-call/built-in-tools.js"
import type { FlowEndpoints } from "../../policies/flow-endpoints.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { PolicySet } from "../../policies/policy.js"
import { textOf } from "./act-answers.js"
import type { Waiting } from "./directed-services.js"
import {
  failureTowardsSink,
  isMarked,
  marker,
  markedArguments,
  markedText,
  messagesOf,
  modelOf,
  passesOn,
  urlOf,
} from "./marked-data.js"
import type { StubStep } from "./stub-module.js"

/**
 * Tracks the marker text, which stands in for restricted data, in a run that checks a `noFlow`
 * policy. Adds the marker to answers that contain data from a source of the policy. Detects the
 * marker in requests to sinks of the policy.
 */
export class FlowMarks {
  /**
   * Whether the marker text, which stands in for restricted data, reached a sink. The run then
   * violates the policy.
   */
  isReached: boolean
  readonly #chart: AgentChart
  readonly #endpoints: FlowEndpoints
  readonly #set: PolicySet
  /** Agents that run inside an AgentTool whose result is a source of the policy. */
  readonly #sourceAgents: ReadonlySet<string>
  #seenEvents = 0

  constructor(chart: AgentChart, endpoints: FlowEndpoints, set: PolicySet) {
    this.#chart = chart
    this.#endpoints = endpoints
    this.#set = set
    // A run starts with a value in each source key.
    this.isReached = endpoints.sourceKeys.some((key) => endpoints.isSink("key", key))
    this.#sourceAgents = new Set(
      Object.entries(chart.tools).flatMap(([name, tool]) =>
        tool.type === "AgentTool" && endpoints.isSource("result", name)
          ? agentsIn(chart.machines[tool.machine]?.states ?? {})
          : [],
      ),
    )
  }

  /**
   * Searches the events since the last call of this method for the marker text, which stands in for
   * restricted data. Sets `isReached` if the policy forbids this data in one of the events.
   */
  look(events: readonly RunEvent[]): void {
    const endpoints = this.#endpoints
    for (; this.#seenEvents < events.length; this.#seenEvents++) {
      const event = events[this.#seenEvents] as RunEvent
      const isSink =
        (event.type === "tool.called" &&
          (endpoints.isSink("arguments", event.tool) || endpoints.isSink("request", event.tool)) &&
          isMarked(event.arguments)) ||
        (event.type === "state.changed" &&
          Object.entries(event.set).some(
            ([key, value]) => endpoints.isSink("key", key) && isMarked(value),
          ))
      if (isSink) this.isReached = true
    }
  }

  /**
   * Searches the request of a call for the marker text, which stands in for restricted data. Sets
   * `isReached` if the policy forbids this data in the request.
   */
  lookAt({ kind, agent, tool, model, request }: Waiting): void {
    if (!isMarked(request)) return
    const endpoints = this.#endpoints
    const definition = this.#chart.agents[agent]
    const isSink =
      kind === "model"
        ? endpoints.isSink("input", agent) ||
          endpoints.isSink("model", model ?? modelOf(definition)) ||
          endpoints.isSink("server", model ?? modelOf(definition)) ||
          (endpoints.isSink("instructions", agent) &&
            isMarked(messagesOf(request).filter(({ role }) => role === "system")))
        : tool !== null &&
          (endpoints.isSink("request", tool) ||
            endpoints.isSink("server", urlOf(this.#chart.tools[tool])) ||
            (this.#chart.tools[tool]?.type !== "HttpTool" && endpoints.isSink("arguments", tool)))
    if (isSink) this.isReached = true
  }

  /**
   * Returns whether the called model, tool or function has seen or produces restricted data. If so,
   * its answer can contain this data.
   */
  isSeenBy(waiting: Waiting): boolean {
    const { kind, agent, id, model, request } = waiting
    const endpoints = this.#endpoints
    switch (kind) {
      case "model":
        return (
          isMarked(request) ||
          endpoints.isSource("text", agent) ||
          this.#sourceAgents.has(agent) ||
          endpoints.isSource("server", model ?? modelOf(this.#chart.agents[agent]))
        )
      case "function": {
        const declared = permissionsOf(this.#set, id)
        return declared !== null && passesOn(declared, waiting)
      }
      default:
        return isMarked(request)
    }
  }

  /**
   * Returns whether an agent's text can contain restricted data. It cannot if the policy trusts the
   * agent to remove this data. This trust does not apply to agents inside an AgentTool whose result
   * is a source of the policy.
   */
  marksTextOf(agent: string): boolean {
    return this.#sourceAgents.has(agent) || !this.#endpoints.isCleaned("text", agent)
  }

  /**
   * Returns the result of a tool call for the script that plays a counterexample. If the tool
   * returns restricted data, the result contains a marker text in place of the data.
   */
  resultOf({ tool, agent }: Waiting, isSeen: boolean): JsonObject {
    const endpoints = this.#endpoints
    const name = tool ?? agent
    if (endpoints.isCleaned("result", name)) return { done: true }
    const isSource =
      endpoints.isSource("result", name) ||
      endpoints.isSource("server", urlOf(this.#chart.tools[name]))
    return isSource || isSeen ? { note: marker } : { done: true }
  }

  /**
   * Returns the marker text if the policy restricts the data in a person's answer to this request.
   * Otherwise returns undefined, and the caller can choose any answer.
   */
  answerOf({ kind, agent }: PendingRequest): string | undefined {
    const endpoints = this.#endpoints
    const isSource =
      endpoints.isSource("answer", agent) ||
      (kind === "input" && endpoints.isSource("prompt", "user"))
    return isSource ? marker : undefined
  }

  /**
   * Returns the answer to a call. If the answer can contain restricted data, adds the marker text.
   * If `replaces` is true, the marker also replaces texts and tool results on which conditions of
   * the counterexample may depend.
   */
  mark(waiting: Waiting, answer: JsonObject | StubStep, replaces: boolean): JsonObject | StubStep {
    this.lookAt(waiting)
    const isSeen = this.isSeenBy(waiting)
    switch (waiting.kind) {
      case "model":
        return (
          failureTowardsSink(waiting, { chart: this.#chart, endpoints: this.#endpoints }) ??
          (isSeen ? this.#markedResponse(waiting.agent, answer as JsonObject, replaces) : answer)
        )
      case "tool":
        return isDefaultStep(answer, "json", replaces)
          ? { ...answer, json: this.resultOf(waiting, isSeen) }
          : answer
      case "listed":
        return isDefaultStep(answer, "return", replaces)
          ? { ...answer, return: this.resultOf(waiting, isSeen) }
          : answer
      case "function":
        return this.#markedStep(waiting, answer, isSeen, replaces)
    }
  }

  #markedResponse(agent: string, answer: JsonObject, replaces: boolean): JsonObject {
    if (Object.hasOwn(answer, "httpStatus")) return answer
    const { content, toolCalls } = answer
    const calls = Array.isArray(toolCalls) ? (toolCalls as readonly JsonObject[]) : []
    const marked = calls.map((call) => {
      const name = String(call["function_name"])
      // The target of a transfer is not data.
      return name !== transferTool && this.#isOwnTool(agent, name)
        ? { ...call, function_args: markedArguments(agent, name, this.#chart) }
        : call
    })
    const chart = this.#chart
    const isText = content === textOf(agent, undefined, chart) || (replaces && calls.length === 0)
    return {
      ...answer,
      ...(isText && this.marksTextOf(agent) && { content: markedText(agent, chart) }),
      ...(calls.length > 0 && { toolCalls: marked }),
    }
  }

  #isOwnTool(agent: string, name: string): boolean {
    const definition = this.#chart.agents[agent]
    return (
      definition?.type === "LlmAgent" &&
      definition.declarations.some(({ function: declared }) => declared.name === name)
    )
  }

  #markedStep(
    { id, hook, tool, agent, ...others }: Waiting,
    step: StubStep,
    isSeen: boolean,
    replaces: boolean,
  ): StubStep {
    const { mayWrite = [] } = permissionsOf(this.#set, id) ?? {}
    const set =
      isSeen && mayWrite.length > 0
        ? { set: { ...step.set, ...Object.fromEntries(mayWrite.map((key) => [key, marker])) } }
        : {}
    const kind = this.#chart.services?.[id]?.kind
    const marked = { ...step, ...set }
    if (hook !== null || kind === "router" || kind === "agent" || step.throw !== undefined)
      return marked
    if (tool !== null || kind === "tool")
      return isDefaultStep(step, "return", replaces)
        ? { ...marked, return: this.resultOf({ id, hook, tool, agent, ...others }, isSeen) }
        : marked
    return isSeen ? { ...marked, return: marker } : marked
  }
}

const agentsIn = (states: Readonly<Record<string, ChartState>>): readonly string[] =>
  Object.values(states).flatMap(({ meta, states: inner = {} }) => [
    ...(meta === undefined ? [] : [meta.agent]),
    ...agentsIn(inner),
  ])

/**
 * Returns whether the marker text may replace a tool result. A default result (`{ done: true }`)
 * may always be replaced. If `replaces` is true, all results except errors and pending results may
 * be replaced.
 */
function isDefaultStep(
  answer: JsonObject | StubStep,
  field: "json" | "return",
  replaces: boolean,
): boolean {
  const { [field]: value } = answer as JsonObject
  if (value === undefined) return false
  if (!isJsonObject(value)) return replaces
  if (Object.hasOwn(value, "error") || Object.hasOwn(value, "pending")) return false
  return replaces || value["done"] === true
}
