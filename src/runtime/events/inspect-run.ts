import type { InspectionEvent, Observer } from "xstate"
import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import type { AgentLocation } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { DriverObserver } from "../driver/driver-observer.js"
import type { Instance } from "../driver/instance.js"

/**
 * Receives the inspection events of all state machines of a run. The type is the same as that of
 * XState's option `inspect`.
 */
export type Inspect = Observer<InspectionEvent> | ((event: InspectionEvent) => void)

/**
 * A machine instance of a run, shown to inspectors as a read-only XState actor. `send` throws an
 * error.
 */
interface InspectedActor {
  readonly id: string
  readonly sessionId: string
  readonly logic: { readonly config: Instance["machine"]["program"]["config"] }
  readonly _parent?: InspectedActor
  getSnapshot(): InspectedSnapshot
  send(event: MachineEvent): void
}

interface InspectedSnapshot {
  readonly status: string
  readonly value: unknown
  readonly tags: readonly string[]
  readonly context: object
  readonly children: object
  readonly output?: unknown
}

interface Inspected {
  readonly machine: InspectedActor
  /**
   * The child actors that the machine has started, by id. Includes child actors that have ended.
   */
  readonly children: Map<string, InspectedActor>
  snapshot: InspectedSnapshot
}

/**
 * Returns a `DriverObserver` that forwards all calls to `observer` and sends XState inspection
 * events to `inspect`: `@xstate.actor` for a new machine, `@xstate.event` for an event that a
 * machine receives, and `@xstate.snapshot` for its state after the event. The result of a model or
 * tool call is also an event.
 *
 * If the inspector throws, `warn` is called once and the inspector receives no further events. The
 * run continues.
 */
export function inspectedObserver(
  runId: string,
  inspect: Inspect,
  warn: (message: string) => void,
  observer: DriverObserver,
): DriverObserver {
  const report = safeReporter(inspect, warn)
  const known = new WeakMap<Instance, Inspected>()
  let actorCount = 0
  let rootId = ""
  const inspectedOf = (instance: Instance): Inspected => {
    const before = known.get(instance)
    if (before !== undefined) return before
    const parent = instance.parent === null ? null : inspectedOf(instance.parent)
    const { key, config } = instance.machine.program
    const sessionId = `${runId}:${actorCount++}`
    if (parent === null) rootId = sessionId
    const machine: InspectedActor = {
      id: parent === null ? key : nameOf(instance, parent.machine),
      sessionId,
      logic: { config },
      ...(parent !== null && { _parent: parent.machine }),
      getSnapshot: () => inspectedActor.snapshot,
      send: rejectEvent,
    }
    const inspectedActor: Inspected = {
      machine,
      children: new Map(),
      snapshot: snapshotOf(instance),
    }
    known.set(instance, inspectedActor)
    parent?.children.set(instance.id, machine)
    report({ type: "@xstate.actor", rootId, actorRef: machine })
    return inspectedActor
  }
  const reportStep = (
    inspectedActor: Inspected,
    snapshot: InspectedSnapshot,
    event: MachineEvent,
  ): void => {
    const sender = event["actorId"] ?? event["child"]
    const sourceRef = typeof sender === "string" ? inspectedActor.children.get(sender) : undefined
    const actorRef = inspectedActor.machine
    report({ type: "@xstate.event", rootId, actorRef, sourceRef, event })
    inspectedActor.snapshot = snapshot
    report({ type: "@xstate.snapshot", rootId, actorRef, event, snapshot })
  }
  return {
    emitted: (event, instance) => observer.emitted(event, instance),
    judge: (event) => observer.judge(event),
    isHalted: () => observer.isHalted(),
    finished: (output) => observer.finished(output),
    failed: (error) => observer.failed(error),
    transitioned: (instance, event) =>
      reportStep(inspectedOf(instance), snapshotOf(instance), event ?? initialEvent),
    instanceStopped(instance) {
      const inspectedActor = known.get(instance)
      if (inspectedActor?.snapshot.status === "active")
        reportStep(inspectedActor, { ...snapshotOf(instance), status: "stopped" }, stopEvent)
      observer.instanceStopped(instance)
    },
  }
}

/**
 * Returns the name of a machine for inspectors, which is the path of its agent, such as
 * `pipeline/writer`. If the parent machine has the same path, the key of the machine is added, as
 * in `pipeline/writer (guardedModel)`.
 */
function nameOf({ context, machine }: Instance, parent: InspectedActor): string {
  // The cast is safe: every context contains the path of its agent.
  const { path } = (context as { readonly input: AgentLocation }).input
  return path === parent.id ? `${path} (${machine.program.key})` : path
}

function safeReporter(inspect: Inspect, warn: (message: string) => void): (event: object) => void {
  let isBroken = false
  return (given) => {
    if (isBroken) return
    // The cast is safe: `InspectedActor` and `InspectedSnapshot` contain all fields that inspectors
    // read.
    const event = given as InspectionEvent
    try {
      if (typeof inspect === "function") inspect(event)
      else inspect.next?.(event)
    } catch (cause) {
      isBroken = true
      warn(`the inspector threw an error and receives no more events: ${thrownMessage(cause)}`)
    }
  }
}

const initialEvent: MachineEvent = { type: "xstate.init" }
const stopEvent: MachineEvent = { type: "xstate.stop" }

const rejectEvent = (): never => {
  throw new AgentStatechartsError(
    "input_refused",
    "a machine of a run does not accept events from an inspector; use methods of the run such as `say`, `approve` and `answer`",
  )
}

/**
 * Returns an inspection snapshot of a machine with a shallow copy of its context. Actions replace
 * context values and never mutate them, so a shallow copy is sufficient.
 */
function snapshotOf({ state, context, machine }: Instance): InspectedSnapshot {
  const { value, status, tags } = state.snapshot
  const output = status === "done" ? { output: machine.program.kind.output(context) } : {}
  return { status, value, tags: [...tags], context: { ...context }, children: {}, ...output }
}
