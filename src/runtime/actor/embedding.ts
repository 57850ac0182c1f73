import type { ActorSystem, ActorSystemInfo, AnyStateMachine } from "xstate"
import type { Usage } from "../../machines/contract/run-event.js"
import type { Clock } from "../driver/host.js"
import type { HostFunctionRunner } from "../host/host-function-runner.js"
import type { CallServices } from "../host/call-services.js"
import type { ModelCallMeter } from "../driver/model-call-meter.js"
import type { ChartProgram } from "../driver/program.js"

export type AnyActorSystem = ActorSystem<ActorSystemInfo>

/** What a machine made by `toMachine` was made with, and what its actors have used. */
export interface Embedding {
  readonly program: ChartProgram
  readonly clock: Clock
  readonly calls: CallServices
  readonly host: HostFunctionRunner
  /** By actor system, which is to say by run. */
  readonly usage: WeakMap<AnyActorSystem, Usage>
  readonly meters: WeakMap<AnyActorSystem, ModelCallMeter>
  /** Whose end is waited for, so that host code that is kept suspended goes with it. */
  readonly watched: WeakSet<AnyActorSystem>
}

/** An actor as it sees itself, its parent included, which XState's types do not tell of. */
export interface Self {
  readonly id: string
  readonly system: AnyActorSystem
  readonly _parent?: Self
}

const embedding = Symbol("agent-statecharts embedding")

interface Embedded {
  readonly [embedding]?: Embedding
}

export function embed(machine: AnyStateMachine, made: Embedding): AnyStateMachine {
  return Object.defineProperty(machine, embedding, { value: made })
}

export const embeddingOf = (machine: unknown): Embedding | null =>
  (machine as Embedded)[embedding] ?? null
