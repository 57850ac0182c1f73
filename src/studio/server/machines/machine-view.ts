import { plainSnapshot } from "../../../adapters/inspect/plain-snapshot.js"
import { showing } from "../../../adapters/inspect/shown-value.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { knownCall, type KnownCall } from "../../../runtime/history/call-key.js"
import { pastRun } from "../../../runtime/history/replayed-run.js"
import type { StoredRun } from "../../../runtime/journal/journal.js"
import type { ActorDetails, ActorSummary, MachineChanges } from "../../machines-api.js"
import type { SeenActor } from "./machine-recorder.js"
import { MachineRecorder, statesOf } from "./machine-recorder.js"

/**
 * Maximum number of characters in the text of a message, and maximum number of events in the
 * details of an actor.
 */
const most = { text: 160, events: 60 }

/**
 * Returns the machines of a run after its first `at` records that have changed since its first
 * `after` messages, and the messages since then. 0 returns all machines.
 */
export function machineChanges(stored: StoredRun, at: number, after: number): MachineChanges {
  const recorder = record(stored, at)
  const show = showing({ maxText: most.text, maxEntries: 8, maxValues: 40 })
  const { last, count } = recorder.messages
  const calls = recorder.openCalls()
  return {
    actors: [...recorder.actors.values()].flatMap((actor) =>
      after === 0 || actor.changedAt > after ? summaryOf(actor, calls) : [],
    ),
    messages: last.flatMap(({ content, ...message }) =>
      message.index < after
        ? []
        : { ...message, text: content == null ? "" : shortText(show(contentOf(content))) },
    ),
    count,
  }
}

/** Returns the details of a machine. null if the run has no machine with this id at the position. */
export function actorDetails(stored: StoredRun, at: number, id: string): ActorDetails | null {
  const recorder = record(stored, at)
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

function record({ header, records }: StoredRun, at: number): MachineRecorder {
  const recorder = new MachineRecorder()
  pastRun({
    header,
    past: records.slice(0, at),
    inspect: recorder.inspect,
    start: (call) => recorder.started(knownCall(call)),
    watch: { called: (call) => recorder.called(knownCall(call)), stopped: () => {} },
  })
  return recorder
}

const summaryOf = (
  actor: SeenActor,
  calls: ReadonlyMap<string, readonly KnownCall[]>,
): ActorSummary => {
  const { id, name, machine, parent, snapshot, received } = actor
  return {
    id,
    name,
    machine,
    parent,
    received,
    inFlight: calls.get(id)?.length ?? 0,
    ...statesOf(snapshot),
  }
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
