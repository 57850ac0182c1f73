import { readRequest } from "../../adapters/scripted/request-record.js"
import type { Scenario, ScriptedReply } from "../../adapters/scripted/scenario.js"
import { type ScriptPosition, startOfScript } from "../../adapters/scripted/script-position.js"
import { scriptedModels } from "../../adapters/scripted/scripted-models.js"
import { scriptedTools } from "../../adapters/scripted/scripted-tools.js"
import { createHttpModelService } from "../../adapters/http/http-model-service.js"
import { createHttpNodeService } from "../../adapters/http/http-node-service.js"
import type { HttpServicesOptions } from "../../adapters/http/http-services.js"
import { createHttpToolService } from "../../adapters/http/http-tool-service.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { NodeRequest } from "../../machines/contract/graphs/node-service.js"
import {
  CallFailedError,
  type CallIdentity,
  type CallOptions,
  type ModelRequest,
  type ToolRequest,
} from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import { asFunction } from "../../runtime/host/host-service.js"
import { performMachine } from "../../runtime/host/user-machine/perform-machine.js"
import { machineServiceOf } from "../../runtime/host/user-machine/machine-service.js"
import { type AnswerFault, brokenBody, injectedRetryAfterMs } from "../contract/fault.js"
import { keyIn, type ServiceAttempt } from "./call-log.js"
import { faultyReplies, type ScriptedClient, scriptedClient } from "./scripted-client.js"
import type { AnswersOfRun } from "./scripted-answers.js"
import { RepeatedWork, type ServiceWork } from "./repeated-work.js"
import { type FunctionWatch, watchedFunction } from "./watched-function.js"

/** The host functions, models, tools and prices that a program registers for its workflow. */
export type RegisteredServices = Pick<CallServices, "services" | "models" | "tools" | "priceOf">

/** A request of a run to a simulated service. */
export interface ServiceRequest {
  /**
   * The attempt of a call that sends the request. null if the request only evaluates the templates
   * of an endpoint.
   */
  readonly attempt: Omit<ServiceAttempt, "time"> | null
  readonly options: CallOptions
  /**
   * Whether a host function sends this request. The runtime does not apply a timeout to such a
   * request.
   */
  readonly isInFunction: boolean
  /**
   * Executes the request. If `fault` is not null, the fault replaces the response of the service.
   */
  perform(fault: AnswerFault | null, answers: AnswersOfRun): ServiceWork
}

/** The simulated process that sends the requests of a run. */
export interface ServiceCaller extends FunctionWatch {
  request(request: ServiceRequest): Promise<unknown>
  /**
   * Called if the scenario has no response for a call. `message` names the called agent, tool or
   * node.
   */
  exhausted(message: string): void
}

type Call<Request> = (request: Request, options: CallOptions) => Promise<unknown>

/** The HTTP services that all simulated runs share. Their HTTP client does not use the network. */
export interface SimulatedHttp {
  readonly client: ScriptedClient
  readonly model: ReturnType<typeof createHttpModelService>
  readonly tool: ReturnType<typeof createHttpToolService>
  readonly node: ReturnType<typeof createHttpNodeService>
  readonly scenario: Scenario
  /**
   * Used only to find out which agents, tools and nodes have scripted responses. No response is
   * taken from it.
   */
  readonly lists: ScriptPosition
  readonly work: RepeatedWork
}

export function simulatedHttp(
  scenario: Scenario,
  options: Omit<HttpServicesOptions, "dispatcher"> = {},
): SimulatedHttp {
  const client = scriptedClient(options.maxResponseBytes)
  return {
    client,
    scenario,
    lists: startOfScript(scenario),
    work: new RepeatedWork(),
    model: createHttpModelService({ ...options, client }),
    tool: createHttpToolService({ ...options, client }),
    node: createHttpNodeService({ ...options, client }),
  }
}

/**
 * Returns the services of one simulated process. They consist of scripted responses and of the
 * services that the program registers.
 */
export function simulatedServices(
  chart: AgentChart,
  http: SimulatedHttp,
  registered: RegisteredServices,
  caller: ServiceCaller,
): CallServices {
  const model: Call<ModelRequest> = (request, options) =>
    overHttp("model", request.agent, request, options, http.model.call)
  const tool: Call<ToolRequest> = (request, options) =>
    overHttp("tool", request.tool, request, options, http.tool.call)
  const node: Call<NodeRequest> = (request, options) =>
    overHttp("node", request.node, request, options, http.node.call)
  const inFunction: Call<ToolRequest> = (request, options) =>
    overHttp("tool", request.tool, request, options, http.tool.call, true)
  const { work } = http
  const { services = {}, models = {}, tools = {}, priceOf } = registered
  const functions = scriptedTools(chart, http.scenario, { call: inFunction }, services)
  return {
    http: { model: { call: model }, tool: { call: tool }, node: { call: node } },
    models: { ...models, ...scriptedModels(chart, { call: model }, models) },
    tools: Object.fromEntries(
      Object.entries(tools)
        .filter(([id]) => !http.scenario.tools.has(id))
        .map(([id, service]) => [
          id,
          { call: (request, options) => inProcess(id, request, options, service.call) },
        ]),
    ),
    services: Object.fromEntries(
      Object.entries(functions).map(([name, service]) => {
        const own = asFunction(service, performMachine)
        if (services[name] !== service) return [name, own]
        return [name, machineServiceOf(service) === null ? watched(name, own) : unread(name, own)]
      }),
    ),
    responseCache: null,
    ...(priceOf !== undefined && { priceOf }),
  }

  function watched(name: string, own: HostFunction): HostFunction {
    return watchedFunction(name, own, caller)
  }

  /**
   * Wraps a host function that runs a state machine. Its reads of the clock and of random numbers
   * are ignored. XState itself creates random ids, so these reads do not show a mistake in the
   * function.
   */
  function unread(name: string, own: HostFunction): HostFunction {
    return watchedFunction(name, own, {
      isShifted: false,
      started: caller.started.bind(caller),
      ended: caller.ended.bind(caller),
      read: () => {},
    })
  }

  function overHttp<Request extends ModelRequest | ToolRequest | NodeRequest>(
    kind: ServiceAttempt["kind"],
    service: string,
    request: Request,
    options: CallOptions,
    call: Call<Request>,
    isInFunction = false,
  ): Promise<unknown> {
    return caller.request({
      attempt: isRequest(request) ? attemptOf(kind, service, request) : null,
      options,
      isInFunction,
      perform: (fault, answers) => {
        const known = work.find(kind, request, fault)
        if (known !== null) return known
        let delayMs = 0
        let isRepeatable = fault === null
        const reply = (text: Parameters<typeof readRequest>[0]): ScriptedReply => {
          if (fault === "status-429") return faultyReplies[fault]
          const { kind: list, id, call: matched } = readRequest(text, http.lists)
          const key = keyIn(request)
          const { attempt } = request
          const found = answers.take({ kind: list, id, call: matched, key, attempt })
          delayMs = found?.delayMs ?? 0
          isRepeatable &&= found !== null && !echoes(found.reply) && answers.isBound(id, key)
          if (fault !== null) return faultyReplies[fault]
          return found === null ? exhausted(list, id) : found.reply
        }
        http.client.answerWith(options.signal, reply)
        const answer = call(request, options)
        const done = { answer, delayMs: () => delayMs }
        const keep = (): void => {
          if (isRepeatable) work.keep(kind, request, done)
        }
        answer.then(keep, keep)
        return done
      },
    })
  }

  function exhausted(kind: "llm" | "tool" | "http", id: string): ScriptedReply {
    const subject = { llm: "agent", tool: "tool", http: "node" }[kind]
    const message = `the scenario has no response left for ${subject} "${id}"`
    caller.exhausted(message)
    const value = { error: { code: "scenario_exhausted", message } }
    return { type: "json", value, status: 500, headers: {} }
  }

  function inProcess(
    id: string,
    request: ToolRequest,
    options: CallOptions,
    call: Call<ToolRequest>,
  ): Promise<unknown> {
    return caller.request({
      attempt: attemptOf("tool", id, request),
      options,
      isInFunction: false,
      perform: (fault) => ({
        answer:
          fault === "status-429"
            ? Promise.reject(failureOf(fault))
            : Promise.resolve(call(request, options)).then((value) => {
                if (fault === null) return value
                if (fault === "malformed") return brokenBody
                if (fault === "empty") return ""
                throw failureOf(fault)
              }),
        delayMs: () => 0,
      }),
    })
  }
}

const echoes = (reply: ScriptedReply): boolean => reply.type === "status" && reply.echoHeaders

const isRequest = (request: CallIdentity): boolean => {
  const { task } = request as Partial<NodeRequest>
  return task === undefined || task.type === "send" || task.type === "notify"
}

const attemptOf = (
  kind: ServiceAttempt["kind"],
  service: string,
  request: CallIdentity,
): Omit<ServiceAttempt, "time"> => ({
  kind,
  service,
  agent: request.agent,
  key: keyIn(request),
  attempt: request.attempt,
  // A request of a graph node does not contain the maximum number of attempts.
  maximumAttempts: request.maximumAttempts ?? (kind === "node" ? Number.POSITIVE_INFINITY : 1),
})

/** Returns the error that a fault causes in a tool that runs in this process, without HTTP. */
function failureOf(fault: "reset" | "status-429" | "status-500"): CallFailedError {
  if (fault === "reset")
    return new CallFailedError({
      code: "service_unreachable",
      message: "the connection was reset",
      retryable: true,
    })
  const status = fault === "status-429" ? 429 : 500
  return new CallFailedError({
    code: "tool_call_failed",
    message: `the service answered ${status}`,
    retryable: true,
    status,
    ...(fault === "status-429" && { retryAfterMs: injectedRetryAfterMs }),
  })
}
