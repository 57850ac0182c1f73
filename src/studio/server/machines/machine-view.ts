import { plainSnapshot } from "../../../adapters/inspect/plain-snapshot.js"
import { copyForInspector } from "../../../adapters/inspect/inspected-value.js"
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
import { MachineRecorder, maxEvents, statesOf } from "./machine-recorder.js"

/** Maximum number of characters in the text of a message. */
const maxText = 160

const showMessage = copyForInspector({ maxText, maxEntries: 8, maxValues: 40 })

/**
 * Selects data about the machines of a run. `after` selects the changes since the run had sent this
 * number of messages. `actor` selects the details of the machine with this id.
 */
type MachineQuery = { readonly after: number } | { readonly actor: string }

/**
 * Returns the state machines of a run after a number of its journal records. Replays are cached.
 */
export class PastMachines {
  readonly #replays = new KeptReplays({
    start: (header) => new MachineReplay(header),
    read: ({ recorder }, query: MachineQuery) =>
      "actor" in query
        ? actorDetails(recorder, query.actor)
        : machineChanges(recorder, query.after),
  })

  /**
   * Returns data about the machines of a run after its first `position` journal records. With
   * `after`, the result contains the machines and messages that are new or have changed since the
   * run had sent this number of messages. If `after` is 0, the result contains all of them. With
   * `actor`, the result contains the details of one machine, or is null if the machine does not
   * exist.
   */
  read(
    stored: StoredRun,
    position: number,
    query: MachineQuery,
  ): MachineChanges | ActorDetails | null {
    return this.#replays.view(stored, position, query)
  }
}

/** A replay of a run's journal that records the state machines and their messages. */
class MachineReplay {
  readonly recorder = new MachineRecorder()
  readonly #pastRun: PastRun

  constructor(header: JournalHeader) {
    const { recorder } = this
    this.#pastRun = pastRun({
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
    return this.#pastRun.eventCounts
  }

  advance(records: readonly JournalRecord[]): void {
    this.#pastRun.advance(records, () => this.recorder.clearOpenCalls())
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
  const show = copyForInspector({ maxText: 1_000, maxEntries: 60, maxValues: 1_000 })
  return {
    ...summaryOf(actor, calls),
    snapshot: show(plainSnapshot(actor.snapshot)),
    events: actor.events
      .slice(-maxEvents)
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
 * Returns the readable part of a call result, which is its text, its value or its error message.
 * Returns content in an unknown format unchanged.
 */
function contentOf(content: unknown): unknown {
  if (!isJsonObject(content)) return content
  const { ok, value, error, text } = content
  if (ok === true) return isJsonObject(value) && "toolCalls" in value ? responseOf(value) : value
  if (ok === false) return isJsonObject(error) ? error["message"] : error
  return typeof text === "string" ? text : content
}

/**
 * Returns the text of a model response. If the response has no text, returns the names of the tools
 * that the model calls, such as `search, read_file`.
 */
function responseOf({ content, toolCalls }: JsonObject): unknown {
  if (typeof content === "string" && content !== "") return content
  return Array.isArray(toolCalls)
    ? toolCalls.map((call) => (isJsonObject(call) ? call["name"] : call)).join(", ")
    : content
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1)}…`
}
