import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from "xstate"
import {
  createMachine,
  enqueueActions,
  fromCallback,
  sendParent,
  spawnChild,
  stopChild,
} from "xstate"
import { AgentStatechartsError } from "../../errors.js"
import { checkChart } from "../../machines/contract/check-chart.js"
import { checkOptions } from "../../machines/data/check-arguments.js"
import { checkServices } from "../host/check-services.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState, Transitions } from "../../machines/contract/chart-machine.js"
import { leafSources } from "../../machines/registry/machine-registry.js"
import { expiryTime } from "../../machines/requests/expiry.js"
import type { RunActorInput } from "../../machines/containers/root-input.js"
import { rootTurnInput } from "../../machines/containers/root-input.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { Lookup, Step, Update } from "../../machines/contract/machine-kind.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import { checkRunInput } from "../run/check-run-input.js"
import type { Clock } from "../driver/host.js"
import type { CallServices } from "../host/call-services.js"
import { callServiceNames } from "../host/call-services.js"
import { hostFunctionRunner } from "../host/host-function-runner.js"
import { randomIds } from "../host/random-ids.js"
import { steadyClock } from "../host/steady-clock.js"
import { systemClock } from "../host/system-clock.js"
import { missingServices } from "../host/missing-services.js"
import type { MachineProgram } from "../driver/program.js"
import { loadProgram } from "../driver/program.js"
import { stopMachines } from "./actor-tree.js"
import { leafLogic, report } from "./leaf-logic.js"
import { decisionStepsOf } from "./decision-steps.js"
import type { ActorWithParent, Embedding } from "./embedding.js"
import { embed } from "./embedding.js"

/** Services and options of `toMachine`. */
export interface MachineServices extends CallServices {
  readonly clock?: Clock
  /**
   * Called with each event of the run, in order. The events have no fields `seq`, `at` and `runId`,
   * unlike the events of `run.events$`.
   */
  readonly onEvent?: (event: EmittedEvent) => void
}

const serviceNames = Object.keys({
  ...callServiceNames,
  clock: true,
  onEvent: true,
} satisfies Record<keyof MachineServices, true>)

/**
 * Returns the chart as an XState machine for `createActor`, `@xstate/react` and inspectors. The
 * input of its actor is `{ prompt?, state?, runId?, artifacts?, session? }`. There is no journal.
 * Use `controlActor` to answer requests.
 *
 * @example
 * const actor = createActor(toMachine(chart, { http }), { input: { prompt: "Hello" } })
 * actor.start()
 *
 * If a service that the chart names is missing, the actor starts in XState's `error` status with a
 * `service_missing` error (docs/semantics.md#failures). `controlActor` returns this error as the
 * result of a failed run.
 *
 * @throws AgentStatechartsError `chart_invalid`, or `argument_invalid` for wrong services.
 */
export function toMachine(chart: AgentChart, services: MachineServices = {}): AnyStateMachine {
  checkChart(chart, "toMachine")
  checkOptions(services, {
    call: "toMachine",
    example: "{ models: { small } }",
    known: serviceNames,
  })
  checkServices(services)
  const program = loadProgram(chart)
  const { clock = systemClock, ...calls } = services
  const embedding: Embedding = {
    program,
    clock: steadyClock(clock, Number.NEGATIVE_INFINITY),
    calls,
    host: hostFunctionRunner(calls.services ?? {}),
    usage: new WeakMap(),
    meters: new WeakMap(),
    released: new WeakSet(),
  }
  // Machines can invoke each other, so they share this object, which is filled in the loop below.
  const actors: Record<string, AnyActorLogic> = {}
  for (const src of leafSources) actors[src] = leafLogic(src, embedding, services.onEvent)
  actors["begin"] = fromCallback(({ sendBack }) => sendBack({ type: "begin" }))
  for (const machine of program.machines.values())
    actors[machine.key] = xstateMachine(machine, embedding, services, actors)
  return embed(actors[chart.root] as AnyStateMachine, embedding)
}

function xstateMachine(
  machine: MachineProgram,
  embedding: Embedding,
  services: MachineServices,
  actors: Record<string, AnyActorLogic>,
): AnyStateMachine {
  const { config, kind, lookup, key } = machine
  const actions = Object.fromEntries(
    Object.entries(kind.updates).map(([name, update]) => [
      name,
      asXstateAction(update, lookup, embedding, services),
    ]),
  )
  const guards = Object.fromEntries(
    Object.entries(kind.guards).map(([name, guard]) => [
      name,
      ({ context, event }: { context: object; event: MachineEvent }, params: never) =>
        guard(context, event, params, lookup),
    ]),
  )
  const isTop = key === embedding.program.chart.root
  const full = {
    ...config,
    states: startingInSecondMacrostep(config, withInputs(config.states, machine)),
    context: ({ input }: { input: unknown }) =>
      kind.contextFrom(isTop ? topInput(input, embedding) : input, lookup.chart),
    output: ({ context }: { context: object }) => kind.output(context),
  }
  // The types of XState cannot describe a config that is only known at run time.
  return createMachine(full as never, { actions, guards, actors } as never)
}

/**
 * Returns the input of the root machine. If an AgentTool starts the root machine, the input is
 * already complete and is returned unchanged.
 */
function topInput(input: unknown, { program, clock, calls }: Embedding): unknown {
  const given = (input ?? {}) as RunActorInput & { readonly path?: string }
  if (given.path !== undefined) return given
  checkRunInput(given)
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

/** Names of the machines that start children or call their model in their first macrostep. */
const machinesThatStartChildren: ReadonlySet<string> = new Set([
  "fan",
  "workflowGraph",
  "llmAgent",
  "hookedLlmAgent",
])

/**
 * Returns the states of a machine with an extra step before its first transition. The machine then
 * starts its children in its second macrostep. In the first macrostep, XState uses a different
 * order: active children, then actions, then children that end immediately.
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
    ...(inner === undefined ? {} : { states: withInputs(inner, machine) }),
    ...(invoke === undefined
      ? {}
      : {
          invoke: {
            ...invoke,
            input: ({ context }: { context: object }) =>
              kind.childInput(context, invoke.src, invoke.input, lookup),
          },
        }),
  })
  return Object.fromEntries(Object.entries(states).map(([name, state]) => [name, visit(state)]))
}

const isRoot = ({ _parent }: ActorWithParent): boolean => _parent === undefined

interface Enqueue {
  (action: unknown): void
  assign(next: object): void
}

/**
 * Wraps a context update in an XState action. The action updates a copy of the context and then
 * enqueues the effects of the update.
 */
function asXstateAction(
  update: Update<object>,
  lookup: Lookup,
  embedding: Embedding,
  { onEvent }: MachineServices,
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
    const step: Step = {
      ...lookup,
      conditionSteps: decisionStepsOf(self.system),
      emit: (emitted) =>
        void effects.push(() => {
          report(emitted, self.system, embedding, onEvent)
          // Runs after this macrostep, because stopped machines send events to their parents.
          if (emitted.type === "deadline.passed" && isRoot(self))
            queueMicrotask(() => stopMachines(self, embedding, expiryTime(event), "limit"))
        }),
      start: (id, src, input) =>
        void effects.push(stopChild(id), spawnChild(src as never, { id, input } as never)),
      stop: (id) => void effects.push(stopChild(id)),
      sendParent: (parentEvent) => {
        if (self._parent !== undefined)
          effects.push(sendParent({ ...parentEvent, child: self.id } as never))
      },
    }
    update(next, event, params, step)
    enqueue.assign(next)
    for (const effect of effects) enqueue(effect)
  }) as never)
}
