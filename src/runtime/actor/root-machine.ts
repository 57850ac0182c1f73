import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from "xstate"
import { AgentStatechartsError } from "../../errors.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { RunActorInput } from "../../machines/containers/root-input.js"
import { rootTurnInput } from "../../machines/containers/root-input.js"
import type { TurnOutput } from "../../machines/contract/turn.js"
import { noTally, resultOf, statusOf } from "../driver/outcome.js"
import { missingServices } from "../host/missing-services.js"
import { randomIds } from "../host/random-ids.js"
import { checkRunInput } from "../run/check-run-input.js"
import { giveMessage } from "../run/give-message.js"
import type { RunMessage } from "../run/run-message.js"
import { messageTypes } from "../run/run-message.js"
import { controlActor } from "./control-actor.js"
import type { ActorWithParent, Embedding } from "./embedding.js"
import { gateOf, judgedResult } from "./actor-policies.js"
import type { OnEvent } from "./leaf-logic.js"
import { report } from "./leaf-logic.js"
import { isRoot } from "./embedding.js"

/**
 * The parts that only the root machine of a chart has: the transitions and actions for messages to
 * the run, and the conversions of the machine's input and output.
 */
export interface RootParts {
  /** Transitions for the messages that a run's actor accepts, such as answers. */
  readonly on: Readonly<Record<string, object>>
  readonly actions: Readonly<Record<string, unknown>>
  inputFrom(input: unknown): unknown
  /**
   * Returns the output of the root machine, which is the result of the run. If an AgentTool runs
   * the root machine, returns the output of the machine unchanged.
   */
  outputFrom(output: unknown, context: object, self: ActorWithParent): unknown
}

/**
 * Creates the message transitions, actions and conversions that only a chart's root machine has.
 */
export function rootParts(embedding: Embedding, onEvent: OnEvent): RootParts {
  return {
    on: Object.fromEntries(messageTypes.map((type) => [type, { actions: "giveMessage" }])),
    actions: {
      giveMessage: ({ self, event }: { self: AnyActorRef; event: RunMessage }) =>
        // The agents must not process the message within this action, because XState then warns
        // about the actions of the parent.
        queueMicrotask(() => giveToActor(self, event, embedding)),
    },
    inputFrom: (input) => rootMachineInput(input, embedding),
    outputFrom: (output, context, self) => {
      if (!isRoot(self, embedding)) return output
      // The casts are safe: the root machine is an orchestration machine, whose output and context
      // have these types.
      const turn = output as TurnOutput
      const root = context as OrchestrationContext
      const stopping = embedding.controls.get(self)?.stopping() ?? null
      const tally = embedding.tallies.get(self) ?? noTally
      const result = resultOf(root.input.runId, statusOf(turn, stopping), root, turn.error, tally)
      return judgedResult(result, gateOf(self, embedding), (event) =>
        report(event, self, embedding, onEvent),
      )
    },
  }
}

/**
 * Passes a message to an actor's run. If the run rejects the message, the actor emits
 * `message.refused`.
 */
function giveToActor(self: AnyActorRef, message: RunMessage, { emitters }: Embedding): void {
  try {
    giveMessage(controlActor(self), message)
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    emitters.get(self)?.({ type: "message.refused", message, error })
  }
}

/**
 * Changes a machine so that each actor stores its emit function when it starts. The run can then
 * emit events outside XState actions.
 */
export function keepEmitter(machine: AnyStateMachine, { emitters }: Embedding): AnyStateMachine {
  const start = machine.start.bind(machine)
  const logic: AnyActorLogic = machine
  logic.start = (snapshot, scope) => {
    emitters.set(scope.self, scope.emit)
    start(snapshot)
  }
  return machine
}

/**
 * Checks and completes the input of the root machine. If an AgentTool starts the root machine, the
 * input is already complete and is returned unchanged.
 */
function rootMachineInput(input: unknown, { program, clock, calls }: Embedding): unknown {
  const given = (input ?? {}) as RunActorInput & { readonly path?: string }
  if (given.path !== undefined) return given
  checkRunInput(given, program.chart)
  // The services are checked here and not in `toMachine`, so that a machine without services can
  // still be drawn and inspected.
  const missing = missingServices(program.chart, calls)
  if (missing !== null) throw new AgentStatechartsError(missing.code, missing.message)
  return rootTurnInput(
    given,
    program.chart,
    given.runId ?? randomIds.next(),
    given.at ?? clock.now(),
  )
}
