import { plainSnapshot } from "../../../adapters/inspect/plain-snapshot.js"
import type { Inspect } from "../../../runtime/events/inspect-run.js"
import type { KnownCall } from "../../../runtime/history/call-key.js"
import type { ActorSummary, SequenceMessage, ServiceLane } from "../../machines-api.js"
import { maxMessages } from "../../machine-changes.js"

/** A state machine (XState actor) of a run, with the latest events that it has received. */
export interface SeenActor {
  readonly id: string
  readonly name: string
  readonly machine: string
  readonly parent: string | null
  snapshot: unknown
  received: number
  /**
   * Number of messages that the run had sent when the machine last changed. It shows whether the
   * machine has changed since the previous request of the page.
   */
  changedAt: number
  /**
   * The cached summary that the page shows. Null if the machine has changed since the summary was
   * computed.
   */
  summary: ActorSummary | null
  /** The latest events that the machine has received. Older events are dropped. */
  readonly events: SeenEvent[]
}

type SeenEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/**
 * A message between the machines of a run. Its content is formatted when the page requests it,
 * because most messages are never requested.
 */
export interface SeenMessage extends Omit<SequenceMessage, "text"> {
  readonly content: unknown
  /**
   * The formatted message for the page. Null until the page requests the message for the first
   * time.
   */
  shown: SequenceMessage | null
}

/** Maximum number of received events that are stored for each machine. */
export const maxEvents = 60

type InspectionEvent = Parameters<Extract<Inspect, (event: never) => void>>[0]

/** The internal fields of an XState actor that `MachineRecorder` reads. */
interface InspectedMachine {
  readonly id: string
  readonly sessionId: string
  readonly logic: { readonly config: { readonly id?: string } }
  readonly _parent?: { readonly sessionId: string }
}

/**
 * Records the state machines of a run and the messages between them from the inspection events of
 * XState.
 */
export class MachineRecorder {
  readonly actors = new Map<string, SeenActor>()
  /**
   * The machine that was created last for each agent, by agent path. If an agent has several nested
   * machines, this is the innermost machine.
   */
  readonly #byPath = new Map<string, SeenActor>()
  readonly #openCalls: KnownCall[] = []
  /**
   * New calls for which no message exists yet. At the next inspection event of XState, a message is
   * added for each of them.
   */
  readonly #newCalls: KnownCall[] = []
  #messages: SeenMessage[] = []
  #count = 0

  readonly inspect = (event: InspectionEvent): void => {
    this.#placeCalls()
    // The cast is safe, because the machines of a run have all of these fields.
    if (event.type === "@xstate.actor") this.#add(event.actorRef as unknown as InspectedMachine)
    else if (event.type === "@xstate.snapshot") {
      const actor = this.actors.get(event.actorRef.sessionId)
      if (actor === undefined) return
      actor.snapshot = event.snapshot
      actor.summary = null
      actor.changedAt = this.#count
    } else if (event.type === "@xstate.event")
      this.#receive(event.actorRef.sessionId, event.sourceRef?.sessionId ?? null, event.event)
  }

  /**
   * Adds a call that a machine has made. A message for the call is added at the next inspection
   * event.
   */
  called(call: KnownCall): void {
    if (call.kind !== "pause") this.#newCalls.push(call)
  }

  /** Removes all calls that were added with `started`. */
  clearOpenCalls(): void {
    this.#openCalls.length = 0
  }

  /** Adds a call that is in flight. The journal contains no result for such a call. */
  started(call: KnownCall): void {
    this.#openCalls.push(call)
  }

  /** Returns the calls that have no result yet, by the id of the machine that made them. */
  openCalls(): ReadonlyMap<string, readonly KnownCall[]> {
    const calls = new Map<string, KnownCall[]>()
    for (const call of this.#openCalls) {
      const id = this.#callerOf(call)?.id
      if (id === undefined) continue
      const list = calls.get(id)
      if (list === undefined) calls.set(id, [call])
      else list.push(call)
    }
    return calls
  }

  /** The latest messages (`last`), and the total number of messages of the run (`count`). */
  get messages(): { readonly last: readonly SeenMessage[]; readonly count: number } {
    this.#placeCalls()
    return { last: this.#messages.slice(-maxMessages), count: this.#count }
  }

  #add({ id, sessionId, logic, _parent: parent }: InspectedMachine): void {
    const actor: SeenActor = {
      id: sessionId,
      name: id,
      machine: logic.config.id ?? id,
      parent: parent?.sessionId ?? null,
      snapshot: null,
      received: 0,
      changedAt: this.#count,
      summary: null,
      events: [],
    }
    this.actors.set(sessionId, actor)
    this.#byPath.set(agentPathOf(id), actor)
  }

  #receive(to: string, source: string | null, event: SeenEvent): void {
    const actor = this.actors.get(to)
    if (actor === undefined) return
    actor.received++
    actor.summary = null
    actor.events.push(event)
    if (actor.events.length > 2 * maxEvents) actor.events.splice(0, maxEvents)
    const { type } = event
    const output = event["output"]
    if (type === "xstate.init" || type === "xstate.stop")
      return this.#addMessage({
        from: actor.parent ?? "people",
        to,
        kind: type === "xstate.init" ? "start" : "end",
        type: type === "xstate.init" ? "start" : "stop",
        content: null,
      })
    const done = /^xstate\.done\.actor\.(.*)$/.exec(type)?.[1]
    if (source !== null && done === undefined)
      return this.#addMessage({ from: source, to, kind: "event", type, content: null })
    if (source !== null)
      return this.#addMessage({ from: source, to, kind: "result", type: "done", content: output })
    if (done === undefined)
      return this.#addMessage({ from: "people", to, kind: "event", type, content: event })
    if (done.startsWith("pause") || done.startsWith("deadline") || done.startsWith("sleep"))
      return this.#addMessage({ from: to, to, kind: "event", type: "time", content: null })
    const lane: ServiceLane = done === "model" ? "models" : "tools"
    return this.#addMessage({ from: lane, to, kind: "result", type: "result", content: output })
  }

  /** Adds a message for each call in `#newCalls`, and empties this list. */
  #placeCalls(): void {
    for (const call of this.#newCalls.splice(0)) {
      const actor = this.#callerOf(call)
      if (actor === null) continue
      const isModel = call.kind === "model"
      this.#addMessage({
        from: actor.id,
        to: isModel ? "models" : "tools",
        kind: "call",
        type: call.of ?? (isModel ? "model" : call.kind),
        content: null,
      })
    }
  }

  #callerOf({ path }: KnownCall): SeenActor | null {
    // A tool call has the path of its agent with the name of the tool.
    for (
      let ancestor = path;
      ancestor !== "";
      ancestor = ancestor.slice(0, Math.max(0, ancestor.lastIndexOf("/")))
    ) {
      const actor = this.#byPath.get(ancestor)
      if (actor !== undefined) return actor
    }
    return null
  }

  #addMessage(message: Omit<SeenMessage, "index" | "shown">): void {
    this.#messages.push({ ...message, index: this.#count++, shown: null })
    for (const id of [message.from, message.to]) {
      const actor = this.actors.get(id)
      if (actor !== undefined) actor.changedAt = this.#count
    }
    if (this.#messages.length > 2 * maxMessages) this.#messages = this.#messages.slice(-maxMessages)
  }
}

/**
 * Returns the agent path from the name of a machine. For example, the name `desk (llmAgent)`
 * contains the path `desk`.
 */
const agentPathOf = (name: string): string => name.replace(/ \([^)]*\)$/, "")

/** Returns the status of a machine's snapshot, and the paths of its innermost active states. */
export function statesOf(snapshot: unknown): {
  readonly status: string
  readonly states: readonly string[]
} {
  const plain = plainSnapshot(snapshot)
  return { status: plain?.status ?? "active", states: innermost(plain?.value) }
}

const innermost = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => {
          const below = innermost(inner)
          return below.length === 0 ? [key] : below.map((state) => `${key}.${state}`)
        })
      : []
