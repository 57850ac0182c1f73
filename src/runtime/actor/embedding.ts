import type { ActorSystem, ActorSystemInfo, AnyStateMachine } from "xstate"
import type { Usage } from "../../machines/contract/run-event.js"
import type { Clock } from "../driver/host.js"
import type { HostFunctionRunner } from "../host/host-function-runner.js"
import type { CallServices } from "../host/call-services.js"
import type { ModelCallMeter } from "../driver/model-call-meter.js"
import type { ChartProgram } from "../driver/program.js"

export type AnyActorSystem = ActorSystem<ActorSystemInfo>

/**
 * The data behind a machine from `toMachine`: its chart and services, and the usage of its actors.
 */
export interface Embedding {
  readonly program: ChartProgram
  readonly clock: Clock
  readonly calls: CallServices
  readonly host: HostFunctionRunner
  /** By actor system. Each run has its own system. */
  readonly usage: WeakMap<AnyActorSystem, Usage>
  readonly meters: WeakMap<AnyActorSystem, ModelCallMeter>
  /** The systems whose suspended host functions are released when their root actor ends. */
  readonly released: WeakSet<AnyActorSystem>
}

/** An actor with its parent, which the types of XState do not contain. */
export interface ActorWithParent {
  readonly id: string
  readonly system: AnyActorSystem
  readonly _parent?: ActorWithParent
}

const embedding = Symbol("agent-statecharts embedding")

interface Embedded {
  readonly [embedding]?: Embedding
}

/** Attaches the data to a machine. */
export function embed(machine: AnyStateMachine, value: Embedding): AnyStateMachine {
  return Object.defineProperty(machine, embedding, { value })
}

/** Returns the data of a machine, or null if `toMachine` did not create it. */
export const embeddingOf = (machine: unknown): Embedding | null =>
  (machine as Embedded)[embedding] ?? null
