import type { Actor, AnyActorRef, AnyStateMachine } from "xstate"
import { createActor } from "xstate"
import { AgentStatechartsError, thrownMessage } from "../../../errors.js"
import type {
  MachineInput,
  MachineState,
  MachineTimer,
  MachineTransition,
  StartedActor,
} from "../../../machines/contract/host/user-machine.js"
import type { SettleStub, StubSnapshot } from "./stub-actors.js"
import { actorsBelow, isAsynchronous, isStub, refuseActor, withStubs } from "./stub-actors.js"

/**
 * Input of a transition of an XState machine: its last state and an event. For the first
 * transition, `state` is null, and `input` is the input of the machine.
 */
export type TransitionStart =
  | { readonly state: MachineState; readonly event: MachineInput }
  | { readonly state: null; readonly input: unknown }

/**
 * A clock whose timers never fire. XState uses it for delayed events (`after`), because the run
 * executes the delays itself.
 */
const silentClock = { setTimeout: () => 0, clearTimeout: () => {} }

/**
 * Takes one transition of the XState machine that a MachineAgent runs. Returns the new state of the
 * machine, and the actors and timers that are now active. The machine runs as an XState actor that
 * is restored from its last snapshot and stopped after the transition.
 *
 * @throws AgentStatechartsError `host_code_failed` if the machine cannot run as a MachineAgent
 */
export function takeTransition(
  machine: AnyStateMachine,
  agents: readonly string[],
  start: TransitionStart,
): MachineTransition {
  const known = start.state
  let keys = known?.keys ?? 0
  const stubbed = withStubs(machine, agents, () => String(keys++))
  const actor = createActor(stubbed, {
    clock: silentClock,
    ...(start.state === null
      ? { input: start.input }
      : { snapshot: start.state.snapshot as never }),
  })
  let failure: unknown = null
  const emitted: { readonly type: string; readonly data: unknown }[] = []
  actor.subscribe({ error: (error) => (failure = error) })
  actor.on("*", (event) => emitted.push({ type: event.type, data: event }))
  actor.start()
  const timers = restoreTimers(actor, known?.timers ?? [], machine)
  if (start.state !== null) deliver(actor, start.event, timers)

  const snapshot = actor.getSnapshot() as MachineSnapshot
  const running = runningStubs(actor, machine)
  const open = snapshot.status === "active" ? scheduled(actor, timers, () => String(keys++)) : []
  const persisted: unknown = actor.getPersistedSnapshot()
  actor.stop()
  const before = new Set(known?.actors)
  return {
    state: { snapshot: persisted, actors: running.map(({ key }) => key), timers: open, keys },
    states: innermost(snapshot.value),
    accepts: acceptedEvents(snapshot),
    status: snapshot.status,
    output: snapshot.output ?? null,
    error: snapshot.status === "error" ? thrownMessage(failure ?? snapshot.error) : null,
    started: running.filter(({ key }) => !before.has(key)),
    emitted,
  }
}

/**
 * The fields of an XState machine snapshot that this file reads. XState's own types do not include
 * all of them.
 */
interface MachineSnapshot {
  readonly status: "active" | "done" | "error"
  readonly value: StateValue
  readonly output?: unknown
  readonly error?: unknown
  readonly _nodes: readonly { readonly ownEvents: readonly string[] }[]
}

type StateValue = string | { readonly [key: string]: StateValue }

const innermost = (value: StateValue): readonly string[] =>
  typeof value === "string"
    ? [value]
    : Object.entries(value).flatMap(([key, inner]) => {
        const below = innermost(inner)
        return below.length === 0 ? [key] : below.map((state) => `${key}.${state}`)
      })

/**
 * Returns the names of the events that the active states handle. Omits XState's internal events.
 */
const acceptedEvents = ({ status, _nodes: nodes }: MachineSnapshot): readonly string[] =>
  status !== "active"
    ? []
    : [
        ...new Set(
          nodes.flatMap(({ ownEvents }) =>
            ownEvents.filter((event) => event !== "" && !event.startsWith("xstate.")),
          ),
        ),
      ]

/**
 * Returns the running stub actors in the order in which they started. A stub actor replaces an
 * agent or a promise that the machine has started.
 */
function runningStubs(actor: AnyActorRef, machine: AnyStateMachine): readonly StartedActor[] {
  const found: StartedActor[] = []
  for (const { actor: each, path } of actorsBelow(actor)) {
    const { logic } = each as Actor<AnyStateMachine>
    const snapshot = each.getSnapshot() as StubSnapshot
    if (snapshot.status !== "active") continue
    if (isStub(logic)) found.push({ key: snapshot.key, src: snapshot.src, input: snapshot.input })
    else if (isAsynchronous(logic)) refuseActor(machine, `"${path.join(".")}"`)
  }
  return found.sort((one, other) => Number(one.key) - Number(other.key))
}

type Timers = Map<object, MachineTimer>

/**
 * Schedules the timers of the last state again, because an XState snapshot does not contain timers.
 * The keys of the returned map are the events that XState has scheduled for the timers.
 */
function restoreTimers(
  actor: AnyActorRef,
  timers: readonly MachineTimer[],
  machine: AnyStateMachine,
): Timers {
  const restored: Timers = new Map()
  for (const timer of timers) {
    const receiver = [...actorsBelow(actor)].find(
      ({ path }) => path.join("\0") === timer.receiver.join("\0"),
    )?.actor
    if (receiver === undefined)
      throw new AgentStatechartsError(
        "host_code_failed",
        `the machine "${machine.id}" has changed, because its delayed event "${timer.id}" belongs to an actor that no longer exists; use the machine with which the run was started`,
      )
    const { scheduler } = receiver.system
    const known = new Set(Object.values(receiver.system.getSnapshot()._scheduledEvents))
    scheduler.schedule(receiver, receiver, timer.event as never, timer.delayMs, timer.id)
    for (const event of Object.values(receiver.system.getSnapshot()._scheduledEvents))
      if (!known.has(event)) restored.set(event, timer)
  }
  return restored
}

/**
 * Returns the pending timers of the machine. A timer in `restored` keeps its key from the last
 * state. Each new timer receives a new key.
 */
function scheduled(
  actor: AnyActorRef,
  restored: Timers,
  nextKey: () => string,
): readonly MachineTimer[] {
  const paths = new Map([...actorsBelow(actor)].map(({ actor: each, path }) => [each, path]))
  return Object.values(actor.system.getSnapshot()._scheduledEvents).flatMap((event) => {
    const known = restored.get(event)
    if (known !== undefined) return [known]
    const receiver = paths.get(event.target)
    if (receiver === undefined) return []
    return [{ key: nextKey(), receiver, id: event.id, event: event.event, delayMs: event.delay }]
  })
}

/**
 * Sends an input to the machine. The input is an event, an expired timer, or the result of an
 * actor. `timers` contains the timers of the last state, in which an expired timer is found by its
 * key.
 */
function deliver(actor: AnyActorRef, input: MachineInput, timers: Timers): void {
  if (input.type === "event") {
    actor.send(input.event)
    return
  }
  if (input.type === "timer") {
    for (const [event, { key, id }] of timers) {
      if (key !== input.key) continue
      const { source, target } = event as { readonly source: AnyActorRef; target: AnyActorRef }
      source.system.scheduler.cancel(source, id)
      target.send((event as { readonly event: never }).event)
    }
    return
  }
  const settle: SettleStub =
    input.type === "done"
      ? { type: "agent-statecharts.done", output: input.output }
      : { type: "agent-statecharts.error", error: actorError(input.error) }
  for (const { actor: each } of actorsBelow(actor)) {
    const { logic } = each as Actor<AnyStateMachine>
    const snapshot = each.getSnapshot() as StubSnapshot
    if (isStub(logic) && snapshot.key === input.key) {
      each.send(settle)
      return
    }
  }
}

/**
 * Creates the error that the machine receives when an actor fails. The property `message` is
 * enumerable, so that it is stored in the snapshot if the machine puts the error into its context.
 */
const actorError = ({
  code,
  message,
}: {
  readonly code: string
  readonly message: string
}): Error =>
  Object.defineProperty(Object.assign(new Error(message), { code }), "message", {
    value: message,
    enumerable: true,
  })
