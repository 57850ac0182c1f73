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
 * The event that a chart's actor emits when it rejects a message, for example an answer to an
 * unknown request.
 */
export interface MessageRefused {
  readonly type: "message.refused"
  readonly message: RunMessage
  readonly error: AgentStatechartsError
}

/**
 * A chart as an XState machine. Its input is the input of a run. Its events are messages to the
 * run, in the format of `run.give`. It emits the events of the run, and its output is the result of
 * the run.
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

/** An actor that runs a chart: the result of `createActor`, or a child of another actor. */
export type RunActorRef<StateValue extends ChartStateValue = ChartStateValue> = ActorRefFromLogic<
  RunMachine<StateValue>
>

/** A snapshot of an actor that runs a chart. */
export type RunSnapshot<StateValue extends ChartStateValue = ChartStateValue> = SnapshotFrom<
  RunMachine<StateValue>
>
