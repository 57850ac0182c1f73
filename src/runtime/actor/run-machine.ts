import type {
  ActorRefFromLogic,
  AnyActorRef,
  MetaObject,
  ParameterizedObject,
  ProvidedActor,
  SnapshotFrom,
  StateMachine,
  StateSchema,
} from "xstate"
import type { AgentStatechartsError } from "../../errors.js"
import type { ChartStateValue } from "../../machines/contract/chart-state-value.js"
import type { EmittedEvent, RunResult } from "../../machines/contract/run-event.js"
import type { RunActorInput } from "../../machines/containers/root-input.js"
import type { RunMessage } from "../run/run-message.js"

/**
 * The event that the actor of a run emits when it rejects a message, for example an answer to an
 * unknown request.
 */
export interface MessageRefused {
  readonly type: "message.refused"
  readonly message: RunMessage
  readonly error: AgentStatechartsError
}

/**
 * The type of the XState machine that `toMachine` returns for a chart. The input of an actor is the
 * input of a run (such as `{ prompt }`). Its events are messages such as `{ type: "approve", id }`.
 * It emits the events of the run, and its output is the result of the run.
 */
export type RunMachine<StateValue extends ChartStateValue = ChartStateValue> = StateMachine<
  Record<string, unknown>,
  RunMessage,
  Record<string, AnyActorRef | undefined>,
  ProvidedActor,
  ParameterizedObject,
  ParameterizedObject,
  string,
  StateValue,
  string,
  RunActorInput | undefined,
  RunResult,
  EmittedEvent | MessageRefused,
  MetaObject,
  StateSchema
>

/**
 * Reference to an actor that runs a chart. The actor was created by `createActor` or invoked by
 * another actor.
 */
export type RunActorRef<StateValue extends ChartStateValue = ChartStateValue> = ActorRefFromLogic<
  RunMachine<StateValue>
>

/** XState snapshot of an actor that runs a chart. */
export type RunSnapshot<StateValue extends ChartStateValue = ChartStateValue> = SnapshotFrom<
  RunMachine<StateValue>
>
