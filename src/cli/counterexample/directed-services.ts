import { explainContextLength } from "../../adapters/model/context-length.js"
import { modelsOf } from "../../machines/model-call/agent-models.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { ModelService, ToolService } from "../../machines/contract/services.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { CallServices, HostContext, HostService, Toolset } from "../../runtime/index.js"
import type { AnsweredCall } from "./play-log.js"
import type { StubParts, StubStep } from "./stub-module.js"

/** A call of a run to a model, tool or host function that has no answer yet. */
export interface Waiting extends AnsweredCall {
  readonly agent: string
  /**
   * Name of the called tool, as declared to the model. Null if the call does not belong to a tool
   * call.
   */
  readonly tool: string | null
  /** Kind of the called callback, such as `beforeTool`. Null if the call is not a callback. */
  readonly hook: string | null
  /** Name or URL of the called model. Null if the call is not a model call. */
  readonly model: string | null
  /**
   * The request as the service received it. Used to search for the marker text of a `noFlow`
   * policy.
   */
  readonly request: unknown
  /** Sends the answer to the run, which then continues. */
  readonly answerWith: (answer: JsonObject | StubStep) => void
}

/**
 * Changes the answer to a call before the run receives it. Checks of `noFlow` policies use it to
 * add a marker text, which shows where data flows.
 */
export type MarkAnswer = (waiting: Waiting, answer: JsonObject | StubStep) => JsonObject | StubStep

export interface DirectedServices {
  readonly services: CallServices
  /** Calls of the run to models, tools and host functions that have no answer yet, oldest first. */
  readonly waiting: Set<Waiting>
  readonly calls: AnsweredCall[]
  /** Number of answers that the run has received so far. */
  answered: number
  /** Total simulated time that the run has waited for timeouts, in milliseconds. */
  late: number
}

/**
 * Creates simulated services for a run. Each call of the run is added to `waiting` until it is
 * answered. `listsOf` returns the tool names of a toolset. `models` contains the models whose
 * services declare that they can send control signals, such as `waitForUserInput`.
 */
export function directedServices(
  {
    chart,
    listsOf,
    models,
    mark = (_waiting, answer) => answer,
  }: {
    readonly chart: AgentChart
    readonly listsOf: (service: string) => readonly string[]
    readonly models: readonly string[]
    readonly mark?: MarkAnswer
  },
  { takeStep, machineStub }: StubParts,
): DirectedServices {
  const waiting = new Set<Waiting>()
  const calls: AnsweredCall[] = []
  const steps = new Map<string, StubStep[]>()

  const ask = <Answer extends JsonObject | StubStep>(
    about: Pick<Waiting, "kind" | "id" | "agent" | "tool" | "hook" | "model" | "request" | "call">,
    signal: AbortSignal,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const one: Waiting = {
        ...about,
        since: directed.answered,
        answered: null,
        // A request that is never answered gets this answer when the run is over.
        answer:
          about.kind === "model"
            ? { content: "ok" }
            : about.kind === "tool"
              ? { json: { done: true } }
              : {},
        answerWith(given) {
          waiting.delete(one)
          const answer = mark(one, given)
          one.answer = answer
          one.answered = directed.answered++
          // Each answer has the form that the kind of its request expects.
          resolve(answer as Answer)
        },
      }
      calls.push(one)
      waiting.add(one)
      signal.addEventListener("abort", () => {
        waiting.delete(one)
        reject(signal.reason as Error)
      })
    })

  const model: ModelService = {
    async call(request, { signal }) {
      const { agent, idempotencyKey } = request
      const entry = await ask<JsonObject>(
        {
          kind: "model",
          id: agent,
          agent,
          tool: null,
          hook: null,
          model: request.endpoint?.url ?? request.model,
          // A model without an endpoint only receives the messages.
          request:
            request.endpoint === null
              ? { messages: request.messages }
              : { messages: request.messages, state: request.state, endpoint: request.endpoint },
          call: idempotencyKey,
        },
        signal,
      )
      return bodyOf(entry, "model_call_failed")
    },
  }
  const tool: ToolService = {
    async call(request, { signal }) {
      const { agent, tool: id, idempotencyKey } = request
      const entry = await ask<JsonObject>(
        {
          kind: "tool",
          id,
          agent,
          tool: id,
          hook: null,
          model: null,
          request: {
            arguments: request.arguments,
            state: request.state,
            endpoint: request.endpoint,
          },
          call: idempotencyKey,
        },
        signal,
      )
      return bodyOf(entry, "tool_call_failed")
    },
  }
  const execute = async (
    kind: "function" | "listed",
    id: string,
    toolName: string | null,
    context: HostContext,
    input: unknown,
  ): Promise<unknown> => {
    const call = `${id} ${context.idempotencyKey}`
    const known = steps.get(call) ?? []
    steps.set(call, known)
    for (let index = 0; ; index++) {
      let step = known[index]
      if (step === undefined) {
        step = await ask<StubStep>(
          {
            kind,
            id,
            agent: context.agent,
            tool: toolName,
            hook: isJsonObject(input) && typeof input["hook"] === "string" ? input["hook"] : null,
            model: null,
            request: { input, state: context.state.toObject() },
            call,
          },
          context.signal,
        )
        known.push(step)
      }
      const result = await takeStep(context, input, step)
      if (step.run === undefined) return result
    }
  }
  const toolsetOf = (name: string): Toolset => ({
    list: () => listsOf(name).map((one) => ({ name: one })),
    call: (context, one, args) =>
      execute("listed", JSON.stringify([name, one]), prefixedName(chart, name, one), context, args),
  })
  const serviceOf = (name: string): HostService => {
    switch (chart.services?.[name]?.kind) {
      case "toolset":
        return toolsetOf(name)
      case "machine":
        return machineStub()
      default:
        return (context: HostContext, input: unknown) =>
          execute("function", name, context.tool, context, input)
    }
  }
  const names = Object.values(chart.agents).flatMap(modelsOf)
  const directed: DirectedServices = {
    services: {
      http: { model, tool },
      models: Object.fromEntries(
        names.map((name) => [name, models.includes(name) ? { ...model, signals: true } : model]),
      ),
      services: Object.fromEntries(
        Object.keys(chart.services ?? {}).map((name) => [name, serviceOf(name)]),
      ),
    },
    waiting,
    calls,
    answered: 0,
    late: 0,
  }
  return directed
}

/**
 * Returns the name under which models see a tool of a toolset, for example `github_search`. The
 * name starts with the prefix of the toolset, if it has one.
 */
function prefixedName({ tools }: AgentChart, service: string, name: string): string {
  const toolset = Object.values(tools).find(
    (tool) => tool.type === "Toolset" && tool.service === service,
  )
  return toolset?.type === "Toolset" && toolset.prefix !== undefined
    ? `${toolset.prefix}_${name}`
    : name
}

/**
 * Returns the response body of a scripted answer. Throws a call error if the answer describes a
 * failure.
 */
function bodyOf(entry: JsonObject, failed: "model_call_failed" | "tool_call_failed"): unknown {
  const { httpStatus: status, malformed, error } = entry
  if (typeof malformed === "string")
    throw new CallFailedError({
      code: "service_answer_malformed",
      message: "the response is malformed",
      retryable: false,
    })
  if (typeof status === "number") {
    const code = status < 400 ? "redirect_refused" : failed
    const message = `HTTP ${status}${error === undefined ? "" : `: ${JSON.stringify(error)}`}`
    throw new CallFailedError(explainContextLength({ code, message, retryable: false, status }))
  }
  return Object.hasOwn(entry, "json") ? entry["json"] : entry
}
