import type { ModelService, ToolService } from "../../machines/contract/services.js"
import type { Clock } from "../driver/host.js"
import type { HostFunctionRunner } from "./host-function-runner.js"
import type { HostService } from "./host-service.js"
import type { PriceOf } from "./price.js"

/** What calls are made with. */
export interface CallServices {
  /** Models by name, for agents with `model`. */
  readonly models?: Readonly<Record<string, ModelService>>
  /** The model of `models` that serves agents whose config names none, neither on the agent nor on an agent above it (adk). */
  readonly defaultModel?: string
  /** Tools by id; they take the place of the tool's own `httpConfig`. */
  readonly tools?: Readonly<Record<string, ToolService>>
  /** Serves agents and tools by their `httpConfig`. */
  readonly http?: { readonly model: ModelService; readonly tool: ToolService }
  /** Host code by name: functions such as those of custom agents, toolsets, plugins. */
  readonly services?: Readonly<Record<string, HostService>>
  /** What a call has cost, from what the model says that it used; kept in the journal with the answer, where a budget has `maxCost`. */
  readonly priceOf?: PriceOf
  /** How long one attempt may take where the config does not say, in milliseconds; default five minutes. */
  readonly defaultTimeoutMs?: number
}

/** What carries out leaf calls, for either interpreter. */
export interface Caller {
  readonly services: CallServices
  readonly host: HostFunctionRunner
  readonly clock: Clock
}
