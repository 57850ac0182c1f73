import type { RecordedCalls } from "../history/recorded-calls.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RemoteAgentService, WriteText } from "../../machines/workflow-agent/remote-task.js"
import type { ChildProgress, WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import type { NodeService } from "../../machines/contract/graphs/node-service.js"
import type {
  CallFailure,
  ModelRequest,
  ModelService,
  ToolService,
} from "../../machines/contract/services.js"
import type { Clock } from "../driver/host.js"
import type { ResponseCache } from "../journal/response-cache.js"
import type { SessionKey } from "../journal/session-store.js"
import type { HostFunctionRunner } from "./host-function-runner.js"
import type { HostService } from "./host-service.js"
import type { ModelLimits } from "./model-limits/model-limit.js"
import type { PriceOf } from "./price.js"

/**
 * Services that runs call, for example models, tools and host functions (functions that your
 * program registers).
 */
export interface CallServices {
  /** Model services by name. An agent selects a model with its `model` field. */
  readonly models?: Readonly<Record<string, ModelService>>
  /**
   * Name of the model for agents that neither have a model in their config nor inherit one (adk
   * dialect).
   */
  readonly defaultModel?: string
  /**
   * Tool services by tool id. If a tool is registered here, the `httpConfig` in the config of the
   * tool is ignored.
   */
  readonly tools?: Readonly<Record<string, ToolService>>
  /**
   * HTTP services for agents and tools with an `httpConfig`, for the nodes of workflow graphs, and
   * for remote agents. `node` is only needed for graphs, and `agent` only for remote agents.
   */
  readonly http?: {
    readonly model: ModelService
    readonly tool: ToolService
    readonly node?: NodeService
    readonly agent?: RemoteAgentService
  }
  /** Charts of the workflows that a WorkflowAgent can call, by name (docs/calling-workflows.md). */
  readonly workflows?: Readonly<Record<string, AgentChart>>
  /** Host functions, toolsets, plugins and XState machines that a chart calls, by name. */
  readonly services?: Readonly<Record<string, HostService>>
  /**
   * Function that returns the cost of a model call. Required if a budget in the config contains
   * `maxCost`. The journal stores the cost.
   */
  readonly priceOf?: PriceOf
  /**
   * Timeout of one attempt in milliseconds, for calls without a timeout in the config. Default:
   * 300,000 (five minutes).
   */
  readonly defaultTimeoutMs?: number
  /**
   * Limits for model calls, such as the maximum number of concurrent calls. Pass the result of
   * `modelLimits`. The limits apply to all runs together (docs/resilience.md).
   */
  readonly modelLimits?: ModelLimits
  /**
   * Cache for model responses. It is used for agents with `cache` in their config
   * (docs/resilience.md#cache-responses). null turns the cache off. `createRunner` uses a cache in
   * memory by default. `createCoreRunner`, `toMachine` and engines have no default cache.
   */
  readonly responseCache?: ResponseCache | null
  /**
   * If true, a WaitAgent ends immediately instead of waiting. For tests and scripted runs. Default:
   * false.
   */
  readonly skipWaits?: boolean
  /**
   * Recorded calls of another run, as `recordedCalls` returns them. A call with an equal request
   * receives the recorded result and is not made. Use a new object for each run.
   */
  readonly recorded?: RecordedCalls
}

/** Names of the fields of {@link CallServices}. Used to report unknown option names. */
export const callServiceNames = {
  models: true,
  defaultModel: true,
  tools: true,
  http: true,
  workflows: true,
  services: true,
  priceOf: true,
  defaultTimeoutMs: true,
  modelLimits: true,
  responseCache: true,
  skipWaits: true,
  recorded: true,
} as const satisfies Record<keyof CallServices, true>

/** The services and helpers that are needed to execute the calls of a run. */
export interface Caller {
  readonly services: CallServices
  readonly host: HostFunctionRunner
  readonly clock: Clock
  /** Session of the run. null or missing if the run has no session. */
  readonly session?: SessionKey | null
  /** Starts and resumes child runs. Missing if child runs cannot be executed here. */
  readonly children?: ChildCaller
}

/** Executes the calls that a WorkflowAgent makes: it starts another workflow or a remote agent. */
export interface ChildCaller {
  /**
   * Starts a child run, or continues it after a restart. Calls `complete` with its result, at most
   * once. Passes text that a remote agent streams to `write`.
   *
   * Returns a function that stops the call and cancels the child run. The function does not cancel
   * the run if a newer call uses the same child run.
   */
  call(
    request: WorkflowRequest,
    complete: (result: ChildResult) => void,
    write?: WriteText,
  ): () => void
}

export type ChildResult =
  | { readonly ok: true; readonly value: ChildProgress }
  | { readonly ok: false; readonly error: CallFailure }

/**
 * Returns the service for a model call, or null if it is not registered. If the agent has an
 * `httpConfig`, the name of the model is ignored.
 */
export function modelServiceFor(
  { endpoint, model }: Pick<ModelRequest, "model" | "endpoint">,
  { http, models, defaultModel }: CallServices,
): ModelService | null {
  if (endpoint !== null) return http?.model ?? null
  const name = model ?? defaultModel
  return name === undefined ? null : (serviceNamed(models, name) ?? null)
}

/**
 * Returns the registered service with the name `key`, or undefined if it is not registered.
 * Inherited keys such as `constructor` are ignored.
 */
export const serviceNamed = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
