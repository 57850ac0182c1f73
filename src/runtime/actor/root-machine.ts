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
import type { ActorWithParent, MachineBinding } from "./machine-binding.js"
import { gateOf, judgedResult } from "./actor-policies.js"
import type { OnEvent } from "./leaf-logic.js"
import { reportEvent } from "./leaf-logic.js"
import { isRoot } from "./machine-binding.js"

/**
 * Parts of an XState machine that only the root machine of a chart has. These are transitions and
 * actions for messages to the run, and conversions of the machine's input and output.
 */
export interface RootParts {
  /**
   * Transitions for the messages that the actor of a run accepts, for example approvals and user
   * messages. The key is the message type.
   */
  readonly on: Readonly<Record<string, object>>
  readonly actions: Readonly<Record<string, unknown>>
  inputFrom(input: unknown): unknown
  /**
   * Returns the output of the root machine, which is the `RunResult`. If an AgentTool (a tool that
   * runs an agent) executes the root machine, returns the output unchanged.
   */
  outputFrom(output: unknown, context: object, self: ActorWithParent): unknown
}

/**
 * Creates the parts of an XState machine that only the root machine of a chart has. These are
 * transitions and actions for messages, and conversions of the machine's input and output.
 */
export function rootParts(binding: MachineBinding, onEvent: OnEvent): RootParts {
  return {
    on: Object.fromEntries(messageTypes.map((type) => [type, { actions: "giveMessage" }])),
    actions: {
      giveMessage: ({ self, event }: { self: AnyActorRef; event: RunMessage }) =>
        // The message is processed in a microtask. If the agents processed it within this action,
        // XState would print a warning about the parent's actions.
        queueMicrotask(() => giveToActor(self, event, binding)),
    },
    inputFrom: (input) => rootMachineInput(input, binding),
    outputFrom: (output, context, self) => {
      if (!isRoot(self, binding)) return output
      // The casts are safe: the root machine is an orchestration machine, whose output and context
      // have these types.
      const turn = output as TurnOutput
      const root = context as OrchestrationContext
      const stopping = binding.controls.get(self)?.stopping() ?? null
      const tally = binding.tallies.get(self) ?? noTally
      const result = resultOf(root.input.runId, statusOf(turn, stopping), root, turn.error, tally)
      return judgedResult(result, gateOf(self, binding), (event) =>
        reportEvent(event, self, binding, onEvent),
      )
    },
  }
}

/**
 * Passes a message, for example an approval, to the run of an actor. If the run rejects the
 * message, the actor emits a `message.refused` event.
 */
function giveToActor(self: AnyActorRef, message: RunMessage, { emitters }: MachineBinding): void {
  try {
    giveMessage(controlActor(self), message)
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    emitters.get(self)?.({ type: "message.refused", message, error })
  }
}

/**
 * Changes `machine.start` so that it stores the `emit` function of the starting actor. The runtime
 * can then emit events of the run outside XState actions. Returns the same machine.
 */
export function keepEmitter(
  machine: AnyStateMachine,
  { emitters }: MachineBinding,
): AnyStateMachine {
  const start = machine.start.bind(machine)
  const logic: AnyActorLogic = machine
  logic.start = (snapshot, scope) => {
    emitters.set(scope.self, scope.emit)
    start(snapshot)
  }
  return machine
}

/**
 * Validates the input of the root machine and adds default values such as a run id. If an AgentTool
 * (a tool that runs an agent) starts the root machine, the input is already complete and is
 * returned unchanged.
 */
function rootMachineInput(input: unknown, { program, clock, calls }: MachineBinding): unknown {
  const given = (input ?? {}) as RunActorInput & { readonly path?: string }
  if (given.path !== undefined) return given
  checkRunInput(given, program.chart)
  // The services are checked here and not in `toMachine`, so that you can draw and inspect a
  // machine without services.
  const missing = missingServices(program.chart, calls)
  if (missing !== null) throw new AgentStatechartsError(missing.code, missing.message)
  return rootTurnInput(
    given,
    program.chart,
    given.runId ?? randomIds.next(),
    given.at ?? clock.now(),
  )
}
