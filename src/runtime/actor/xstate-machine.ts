import { mapValues } from "../../machines/data/map-values.js"
import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from "xstate"
import { createMachine, enqueueActions, sendParent, spawnChild, stopChild } from "xstate"
import type { ChartState, Transitions } from "../../machines/contract/chart-machine.js"
import { expiryTime } from "../../machines/requests/expiry.js"
import type { EmittedEvent, RunError } from "../../machines/contract/run-event.js"
import type { Lookup, Step, Update } from "../../machines/contract/machine-kind.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { MachineProgram } from "../program/program.js"
import { inNode } from "../events/in-node.js"
import { childrenOf, stopMachines } from "./actor-tree.js"
import { gateOf, stopHalted } from "./actor-policies.js"
import { decisionStepsOf } from "./decision-steps.js"
import type { ActorWithParent, MachineBinding } from "./machine-binding.js"
import { isRoot, rootOf } from "./machine-binding.js"
import { reportEvent } from "./leaf-logic.js"
import type { RootParts } from "./root-machine.js"

type OnEvent = ((event: EmittedEvent) => void) | undefined

/** Options of `xstateMachine`, which converts one machine of a chart to an XState machine. */
export interface MachineParts {
  readonly binding: MachineBinding
  readonly onEvent: OnEvent
  /**
   * The actor logic of all machines and calls that this machine can invoke, by name. The machines
   * of a workflow share this object, because they can invoke each other.
   */
  readonly actors: Record<string, AnyActorLogic>
  /**
   * Parts that only the root machine of a chart has, such as the conversions of its input and
   * output. null for all other machines.
   */
  readonly root: RootParts | null
}

/** Converts one machine of a chart to an executable XState machine. */
export function xstateMachine(
  machine: MachineProgram,
  { binding, onEvent, actors, root }: MachineParts,
): AnyStateMachine {
  const { config, kind, lookup } = machine
  const actions = Object.fromEntries(
    Object.entries(kind.updates).map(([name, update]) => [
      name,
      asXstateAction(update, lookup, binding, onEvent),
    ]),
  )
  const guards = Object.fromEntries(
    Object.entries(kind.guards).map(([name, guard]) => [
      name,
      ({ context, event }: { context: object; event: MachineEvent }, params: never) =>
        guard(context, event, params, lookup),
    ]),
  )
  const full = {
    ...config,
    ...(root !== null && { on: { ...config.on, ...root.on } }),
    states: startingInSecondMacrostep(config, withInputs(config.states, machine)),
    context: ({ input }: { input: unknown }) =>
      kind.contextFrom(root === null ? input : root.inputFrom(input), lookup.chart),
    output: ({ context, self }: { context: object; self: ActorWithParent }) => {
      const output = kind.output(context)
      return root === null ? output : root.outputFrom(output, context, self)
    },
  }
  // XState's types cannot describe a config that is only known at run time.
  return createMachine(full, { actions: { ...actions, ...root?.actions }, guards, actors } as never)
}

/**
 * Ids of the built-in machines that would start child actors or call a model in their first
 * macrostep. `startingInSecondMacrostep` changes these machines, so that they start their children
 * later.
 */
const machinesThatStartChildren: ReadonlySet<string> = new Set([
  "fan",
  "workflowGraph",
  "nodeRun",
  "parallelWorker",
  "triggeredGraph",
  "taskGraph",
  "httpTask",
  "adkTask",
  "loopTask",
  "machineAgent",
  "waitAgent",
  "workflowAgent",
  "llmAgent",
  "hookedLlmAgent",
  "guardedLlmAgent",
  "guardedModel",
  "guardrail",
])

/**
 * Returns the states of a machine. If the machine would start children in its first macrostep,
 * changes the initial state so that they start in the second macrostep.
 *
 * Otherwise, XState would start the children in a different order than in later macrosteps. In the
 * first macrostep, it starts active children first, then executes actions, and then starts children
 * that end immediately.
 */
function startingInSecondMacrostep(
  { initial, meta, id }: MachineProgram["config"],
  states: Record<string, object>,
): Record<string, object> {
  if (meta?.kind !== "orchestration" && !machinesThatStartChildren.has(id)) return states
  const { always, ...first } = states[initial] as { readonly always: Transitions }
  return {
    ...states,
    [initial]: { ...first, invoke: { id: "begin", src: "begin" }, on: { begin: always } },
  }
}

function withInputs(
  states: Readonly<Record<string, ChartState>>,
  machine: MachineProgram,
): Record<string, object> {
  const { kind, lookup } = machine
  const visit = ({
    invoke,
    states: inner,
    ...rest
  }: ChartState & { readonly on?: Readonly<Record<string, Transitions>> }): object => ({
    ...rest,
    ...(inner !== undefined && { states: withInputs(inner, machine) }),
    ...(invoke !== undefined && {
      invoke: {
        ...invoke,
        input: ({ context }: { context: object }) =>
          kind.childInput(context, invoke.src, invoke.input, lookup),
      },
    }),
  })
  return mapValues(states, visit)
}

/**
 * Returns the error in the context of a root machine, or null if the context has no error. The root
 * machine sets this error when the deadline of the run has passed.
 */
const errorOf = (root: { readonly error?: RunError | null }): RunError | null => root.error ?? null

interface Enqueue {
  (action: unknown): void
  assign(next: object): void
}

/**
 * Converts a function that updates a machine's context to an XState action. The action updates a
 * copy of the context, and then enqueues the effects that the function requested, such as starting
 * a child.
 */
function asXstateAction(
  update: Update<object>,
  lookup: Lookup,
  binding: MachineBinding,
  onEvent: OnEvent,
): unknown {
  return enqueueActions(((
    {
      context,
      event,
      enqueue,
      self,
    }: {
      context: object
      event: MachineEvent
      enqueue: Enqueue
      self: ActorWithParent & AnyActorRef
    },
    params: never,
  ) => {
    const next = { ...context }
    const effects: unknown[] = []
    const gate = gateOf(self, binding)
    const emit = (event: EmittedEvent): void =>
      void effects.push(() => reportEvent(event, rootOf(self, binding), binding, onEvent))
    const stopIfHalted = (): void => {
      if (gate !== null && gate.end !== null)
        effects.push(() => stopHalted(rootOf(self, binding), binding))
    }
    const step: Step = {
      ...lookup,
      conditionSteps: decisionStepsOf(self.system),
      judge: (called) => {
        const judgement = gate?.judge(called, emit) ?? null
        stopIfHalted()
        return judgement
      },
      emit: (raw) => {
        const emitted = inNode(raw, lookup.chart)
        if (gate?.admits(emitted, emit) === false) return stopIfHalted()
        // The policies check the event now, and not when the effects are executed. Later actions of
        // this macrostep depend on their decision.
        const violations = gate?.follow(emitted) ?? []
        effects.push(() => {
          reportEvent(emitted, rootOf(self, binding), binding, onEvent)
          // A microtask runs this after the current macrostep, because stopped machines send events
          // to their parents.
          if (emitted.type === "deadline.passed" && isRoot(self, binding))
            queueMicrotask(() =>
              stopMachines(self, binding, expiryTime(event), "limit", errorOf(next)),
            )
        })
        for (const violated of violations) emit(violated)
      },
      start: (id, src, input) => void effects.push(stopChild(id), spawnChild(src, { id, input })),
      stop: (id) => void effects.push(stopChild(id)),
      // A microtask runs this after the current macrostep, because stopped machines send events to
      // their parents.
      interrupt: (id, time) =>
        void effects.push(() =>
          queueMicrotask(() => {
            const child = childrenOf(self)[id]
            if (child !== undefined) stopMachines(child, binding, time, "cancelled")
          }),
        ),
      sendParent: (parentEvent) => {
        if (!isRoot(self, binding)) effects.push(sendParent({ ...parentEvent, child: self.id }))
      },
    }
    update(next, event, params, step)
    enqueue.assign(next)
    for (const effect of effects) enqueue(effect)
  }) as never)
}
