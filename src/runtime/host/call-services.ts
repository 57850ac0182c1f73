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

/** Services that runs call, such as models, tools and host functions. */
export interface CallServices {
  /** Models by the name that agents use in their `model` field. */
  readonly models?: Readonly<Record<string, ModelService>>
  /**
   * Name of the model for agents that neither have a model in their config nor inherit one (adk).
   */
  readonly defaultModel?: string
  /** Tools by id. A registered tool is called instead of the `httpConfig` of the tool. */
  readonly tools?: Readonly<Record<string, ToolService>>
  /**
   * HTTP services for agents and tools with an `httpConfig`, for the nodes of graphs, and for remote
   * agents. `node` is only needed for graphs, and `agent` for remote agents.
   */
  readonly http?: {
    readonly model: ModelService
    readonly tool: ToolService
    readonly node?: NodeService
    readonly agent?: RemoteAgentService
  }
  /** Charts of the workflows that WorkflowAgents call by name (docs/calling-workflows.md). */
  readonly workflows?: Readonly<Record<string, AgentChart>>
  /** Host functions, toolsets and plugins by name. */
  readonly services?: Readonly<Record<string, HostService>>
  /**
   * Returns the cost of a model call. Required if a budget has `maxCost`. The cost is stored in the
   * journal.
   */
  readonly priceOf?: PriceOf
  /**
   * Timeout of one attempt in milliseconds, for calls without a timeout in the config. Default:
   * 300,000 (five minutes).
   */
  readonly defaultTimeoutMs?: number
  /**
   * Limits for model calls, created by `modelLimits`, such as the maximum number of concurrent
   * calls. They apply to all runs together (docs/resilience.md).
   */
  readonly modelLimits?: ModelLimits
  /**
   * Cache for the responses of agents with `cache` (docs/resilience.md#cache-responses). null:
   * responses are not cached. Default: a cache in the memory of the runner; `createCoreRunner`,
   * `toMachine` and engines have no default.
   */
  readonly responseCache?: ResponseCache | null
  /** Whether the waits of WaitAgents end at once, for tests and scripted runs. Default: false. */
  readonly skipWaits?: boolean
  /**
   * Recorded calls of another run, created by `recordedCalls`. A call with an equal request
   * receives the recorded result and is not made. Use a new object for each run.
   */
  readonly recorded?: RecordedCalls
}

/** Names of the fields of {@link CallServices}. Options are checked against these names. */
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

/** The services and helpers that are needed to execute a leaf call. */
export interface Caller {
  readonly services: CallServices
  readonly host: HostFunctionRunner
  readonly clock: Clock
  /** Session of the run; null or absent if it has none. */
  readonly session?: SessionKey | null
  /** Starts and resumes child runs; absent if the interpreter cannot execute them. */
  readonly children?: ChildCaller
}

/** An executor of the calls that WorkflowAgents make. */
export interface ChildCaller {
  /**
   * Starts or continues a child run and returns a function that stops the call. If the call is
   * stopped, the child run is cancelled, unless another call of the same child run replaces it.
   * `complete` is called at most once. `write` receives the text that a remote agent streams.
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
 * Returns the service for a model call, or null if none is registered. An `httpConfig` takes
 * precedence over the name of a model.
 */
export function modelServiceFor(
  { endpoint, model }: Pick<ModelRequest, "model" | "endpoint">,
  { http, models, defaultModel }: CallServices,
): ModelService | null {
  if (endpoint !== null) return http?.model ?? null
  const name = model ?? defaultModel
  return name === undefined ? null : (serviceNamed(models, name) ?? null)
}

/** Returns a registered service; undefined for names such as `constructor` that are not own keys. */
export const serviceNamed = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
