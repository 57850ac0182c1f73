import type { InspectionEvent, Observer } from "xstate"
import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { DriverObserver } from "../driver/driver-observer.js"
import type { Instance } from "../driver/instance.js"

/** Told what happens inside of machines: what XState's `createActor` takes as `inspect`, a runner takes as well. */
export type Inspect = Observer<InspectionEvent> | ((event: InspectionEvent) => void)

/** A machine of a run as inspectors see it: what they read of an actor of XState, and nothing by which it could be changed. */
interface SeenMachine {
  readonly id: string
  readonly sessionId: string
  readonly logic: { readonly config: Instance["machine"]["program"]["config"] }
  readonly _parent?: SeenMachine
  getSnapshot(): SeenSnapshot
  send(event: MachineEvent): void
}

interface SeenSnapshot {
  readonly status: string
  readonly value: unknown
  readonly tags: readonly string[]
  readonly context: object
  readonly children: object
  readonly output?: unknown
}

interface Seen {
  readonly machine: SeenMachine
  /** Those that it started, by their ids, also when they have ended. */
  readonly children: Map<string, SeenMachine>
  snapshot: SeenSnapshot
}

/**
 * The observer of a driver, and an inspector beside it. The inspector is told of the machines of one run in the words
 * of XState's inspection: `@xstate.actor` when one begins, `@xstate.event` for what it is sent, `@xstate.snapshot` for where it stands
 * after that. Leaf calls are no machines: their results are events.
 *
 * An inspector that throws is told nothing more, and `warn` is called: it cannot break a run.
 */
export function inspected(
  runId: string,
  inspect: Inspect,
  warn: (message: string) => void,
  observer: DriverObserver,
): DriverObserver {
  const tell = telling(inspect, warn)
  const known = new WeakMap<Instance, Seen>()
  let begun = 0
  let rootId = ""
  const seenOf = (instance: Instance): Seen => {
    const before = known.get(instance)
    if (before !== undefined) return before
    const parent = instance.parent === null ? null : seenOf(instance.parent)
    const { key, config } = instance.machine.program
    const sessionId = `${runId}:${begun++}`
    if (parent === null) rootId = sessionId
    const machine: SeenMachine = {
      id: parent === null ? key : instance.id,
      sessionId,
      logic: { config },
      ...(parent === null ? {} : { _parent: parent.machine }),
      getSnapshot: () => seen.snapshot,
      send: refuse,
    }
    const seen: Seen = { machine, children: new Map(), snapshot: snapshotOf(instance) }
    known.set(instance, seen)
    parent?.children.set(instance.id, machine)
    tell({ type: "@xstate.actor", rootId, actorRef: machine })
    return seen
  }
  const stands = (seen: Seen, snapshot: SeenSnapshot, event: MachineEvent): void => {
    const sender = event["actorId"] ?? event["child"]
    const sourceRef = typeof sender === "string" ? seen.children.get(sender) : undefined
    const actorRef = seen.machine
    tell({ type: "@xstate.event", rootId, actorRef, sourceRef, event })
    seen.snapshot = snapshot
    tell({ type: "@xstate.snapshot", rootId, actorRef, event, snapshot })
  }
  return {
    announced: (event, instance) => observer.announced(event, instance),
    finished: (output) => observer.finished(output),
    broke: (error) => observer.broke(error),
    stands: (instance, event) => stands(seenOf(instance), snapshotOf(instance), event ?? beginning),
    stoppedInstance(instance) {
      const seen = known.get(instance)
      if (seen?.snapshot.status === "active")
        stands(seen, { ...snapshotOf(instance), status: "stopped" }, stopping)
      observer.stoppedInstance(instance)
    },
  }
}

function telling(inspect: Inspect, warn: (message: string) => void): (event: object) => void {
  let isBroken = false
  return (given) => {
    if (isBroken) return
    // `SeenMachine` and `SeenSnapshot` are what inspectors read of XState's actors and snapshots.
    const event = given as InspectionEvent
    try {
      if (typeof inspect === "function") inspect(event)
      else inspect.next?.(event)
    } catch (cause) {
      isBroken = true
      warn(`the inspector threw an error and receives no more events: ${wordsOf(cause)}`)
    }
  }
}

const beginning: MachineEvent = { type: "xstate.init" }
const stopping: MachineEvent = { type: "xstate.stop" }

const refuse = (): never => {
  throw new AgentStatechartsError(
    "input_refused",
    "a machine of a run does not accept events from an inspector; use methods of the run such as `say`, `approve` and `answer`",
  )
}

/** Updates replace what a context holds and never change it, so a copy of its own fields stays as it is. */
function snapshotOf({ at, context, machine }: Instance): SeenSnapshot {
  const { value, status, tags } = at.snapshot
  const output = status === "done" ? { output: machine.program.kind.output(context) } : {}
  return { status, value, tags: [...tags], context: { ...context }, children: {}, ...output }
}
