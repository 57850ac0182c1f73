import { plainSnapshot } from "../../../adapters/inspect/plain-snapshot.js"
import { showing } from "../../../adapters/inspect/shown-value.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { knownCall, type KnownCall } from "../../../runtime/history/call-key.js"
import type { PastRun } from "../../../runtime/history/execute-past.js"
import { pastRun } from "../../../runtime/history/replayed-run.js"
import type { JournalHeader, JournalRecord, StoredRun } from "../../../runtime/journal/journal.js"
import type {
  ActorDetails,
  ActorSummary,
  MachineChanges,
  SequenceMessage,
} from "../../machines-api.js"
import { KeptReplays } from "../time/kept-replays.js"
import type { SeenActor, SeenMessage } from "./machine-recorder.js"
import { MachineRecorder, statesOf } from "./machine-recorder.js"

/**
 * Maximum number of characters in the text of a message, and maximum number of events in the
 * details of an actor.
 */
const most = { text: 160, events: 60 }

const showMessage = showing({ maxText: most.text, maxEntries: 8, maxValues: 40 })

/** What to read from the machines of a run: the changes since `after` messages, or one machine. */
type MachineQuery = { readonly after: number } | { readonly actor: string }

/** Reads the machines of runs at positions of the past. */
export class PastMachines {
  readonly #replays = new KeptReplays({
    start: (header) => new MachineReplay(header),
    read: ({ recorder }, query: MachineQuery) =>
      "actor" in query
        ? actorDetails(recorder, query.actor)
        : machineChanges(recorder, query.after),
  })

  /**
   * Returns the machines of a run after its first `at` records that have changed since its first
   * `after` messages, and the messages since then. 0 returns all machines. With `actor`, returns the
   * details of a machine, or null if the run has no machine with this id at the position.
   */
  read(stored: StoredRun, at: number, query: MachineQuery): MachineChanges | ActorDetails | null {
    return this.#replays.view(stored, at, query)
  }
}

/** A replay of a run that records its machines. */
class MachineReplay {
  readonly recorder = new MachineRecorder()
  readonly #past: PastRun

  constructor(header: JournalHeader) {
    const { recorder } = this
    this.#past = pastRun({
      header,
      past: [],
      inspect: recorder.inspect,
      start: (call) => {
        recorder.started(knownCall(call))
        return () => {}
      },
      watch: { called: (call) => recorder.called(knownCall(call)), stopped: () => {} },
    })
  }

  get eventCounts(): readonly number[] {
    return this.#past.eventCounts
  }

  advance(records: readonly JournalRecord[]): void {
    this.#past.advance(records, () => this.recorder.clearOpenCalls())
  }
}

function machineChanges(recorder: MachineRecorder, after: number): MachineChanges {
  const { last, count } = recorder.messages
  const calls = recorder.openCalls()
  return {
    actors: [...recorder.actors.values()].flatMap((actor) =>
      after === 0 || actor.changedAt > after ? summaryOf(actor, calls) : [],
    ),
    messages: last.flatMap((message) => (message.index < after ? [] : shownMessage(message))),
    count,
  }
}

function shownMessage(message: SeenMessage): SequenceMessage {
  if (message.shown === null) {
    const { content, shown: _shown, ...rest } = message
    const text = content == null ? "" : shortText(showMessage(contentOf(content)))
    message.shown = { ...rest, text }
  }
  return message.shown
}

function actorDetails(recorder: MachineRecorder, id: string): ActorDetails | null {
  const actor = recorder.actors.get(id)
  if (actor === undefined) return null
  const calls = recorder.openCalls()
  const show = showing({ maxText: 1_000, maxEntries: 60, maxValues: 1_000 })
  return {
    ...summaryOf(actor, calls),
    snapshot: show(plainSnapshot(actor.snapshot)),
    events: actor.events
      .slice(-most.events)
      .map((event) => ({ type: event.type, event: show(event) })),
    waitsFor: (calls.get(id) ?? []).map(({ kind, of, path }) => [kind, of ?? path].join(" ")),
  }
}

function summaryOf(
  actor: SeenActor,
  calls: ReadonlyMap<string, readonly KnownCall[]>,
): ActorSummary {
  const { id, name, machine, parent, snapshot, received, summary } = actor
  const inFlight = calls.get(id)?.length ?? 0
  if (summary?.inFlight === inFlight) return summary
  const found = { id, name, machine, parent, received, inFlight, ...statesOf(snapshot) }
  actor.summary = found
  return found
}

/**
 * Returns the readable content of a service result: its text, its value or its error message. Any
 * other content is returned unchanged.
 */
function contentOf(content: unknown): unknown {
  if (!isJsonObject(content)) return content
  const { ok, value, error, text } = content
  if (ok === true) return isJsonObject(value) && "toolCalls" in value ? responseOf(value) : value
  if (ok === false) return isJsonObject(error) ? error["message"] : error
  return typeof text === "string" ? text : content
}

/** Returns the text of a model response, or the names of the tools that it calls. */
function responseOf({ content, toolCalls }: JsonObject): unknown {
  if (typeof content === "string" && content !== "") return content
  return Array.isArray(toolCalls)
    ? toolCalls.map((call) => (isJsonObject(call) ? call["name"] : call)).join(", ")
    : content
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length <= most.text ? text : `${text.slice(0, most.text - 1)}…`
}
