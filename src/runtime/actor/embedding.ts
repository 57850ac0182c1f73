import type { ActorSystem, ActorSystemInfo, AnyStateMachine } from "xstate"
import type { Usage } from "../../machines/contract/run-event.js"
import type { Clock } from "../driver/host.js"
import type { HostFunctionRunner } from "../host/host-function-runner.js"
import type { CallServices } from "../host/call-services.js"
import type { ModelCallMeter } from "../driver/model-call-meter.js"
import type { ChartProgram } from "../driver/program.js"

export type AnyActorSystem = ActorSystem<ActorSystemInfo>

/**
 * The data that `toMachine` attaches to a machine: its chart, its services and per-run counters.
 */
export interface Embedding {
  readonly program: ChartProgram
  readonly clock: Clock
  readonly calls: CallServices
  readonly host: HostFunctionRunner
  /** Model and tool usage by actor system. Each run has its own actor system. */
  readonly usage: WeakMap<AnyActorSystem, Usage>
  readonly meters: WeakMap<AnyActorSystem, ModelCallMeter>
  /** Actor systems that `releaseAtEnd` already observes, so that each one is observed only once. */
  readonly released: WeakSet<AnyActorSystem>
}

/** An actor with its `_parent` field, which the public types of XState do not contain. */
export interface ActorWithParent {
  readonly id: string
  readonly system: AnyActorSystem
  readonly _parent?: ActorWithParent
}

const embedding = Symbol("agent-statecharts embedding")

interface Embedded {
  readonly [embedding]?: Embedding
}

/** Attaches an `Embedding` to a machine and returns the machine. */
export function embed(machine: AnyStateMachine, value: Embedding): AnyStateMachine {
  return Object.defineProperty(machine, embedding, { value })
}

/** Returns the `Embedding` of a machine, or null if `toMachine` did not create the machine. */
export const embeddingOf = (machine: unknown): Embedding | null =>
  (machine as Embedded)[embedding] ?? null
