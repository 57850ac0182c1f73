import type { ModelService, ToolService } from "../../machines/contract/services.js"
import type { Clock } from "../driver/host.js"
import type { HostFunctionRunner } from "./host-function-runner.js"
import type { HostService } from "./host-service.js"
import type { PriceOf } from "./price.js"

/** The services that a run calls. */
export interface CallServices {
  /** Models by name, for agents with `model`. */
  readonly models?: Readonly<Record<string, ModelService>>
  /**
   * The name of the model for agents without a model in the config (adk). Inherited models take
   * precedence.
   */
  readonly defaultModel?: string
  /** Tools by id. They replace the `httpConfig` of the tool. */
  readonly tools?: Readonly<Record<string, ToolService>>
  /** Calls agents and tools that have an `httpConfig`. */
  readonly http?: { readonly model: ModelService; readonly tool: ToolService }
  /** Host functions, toolsets and plugins by name. */
  readonly services?: Readonly<Record<string, HostService>>
  /**
   * Returns the cost of a model call. Required if a budget has `maxCost`. The journal stores the
   * cost.
   */
  readonly priceOf?: PriceOf
  /** Time limit of one attempt in milliseconds if the config has none. Default: five minutes. */
  readonly defaultTimeoutMs?: number
}

/** Everything that a call needs, in both interpreters. */
export interface Caller {
  readonly services: CallServices
  readonly host: HostFunctionRunner
  readonly clock: Clock
}
