import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Envelope } from "../../machines/contract/services.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { JournalRecord, OutsideRecord, ResultRecord, StoredRun } from "../journal/journal.js"
import { isOutside, resultIn } from "../journal/journal.js"
import type { KnownCall } from "./call-key.js"
import { knownCall, mapKey } from "./call-key.js"
import type { RequestDifference } from "./compare-requests.js"
import { compareRequests } from "./compare-requests.js"
import { toRun } from "../run/replies.js"
import type { RunExecution } from "../run/run-execution.js"
import type { PastRun } from "./replayed-run.js"
import { pastRun } from "./replayed-run.js"
import { Lists } from "./queues-by-key.js"
import type { StateDifference } from "./compare-states.js"
import { compareStates } from "./compare-states.js"

/** What comes out when the answers of a run are given to a chart, as far as they fit. */
export interface Replay {
  /** The same calls with the same requests and the same end. */
  readonly isSame: boolean
  /**
   * Calls that the old run has no answer for, in the order in which they are made; the first is
   * where the new run has to go on by itself.
   */
  readonly unanswered: readonly KnownCall[]
  /** Calls whose answer nobody asks for any more. */
  readonly unused: readonly KnownCall[]
  /** Answers of people and other events from outside that nothing waits for any more. */
  readonly unheard: readonly { readonly type: string; readonly id: string; readonly at: number }[]
  /** Calls that are made with another request than before. */
  readonly changed: readonly RequestDifference[]
  readonly before: RunResult
  readonly after: RunResult
  readonly state: readonly StateDifference[]
  /** The run of the new chart as it would be stored, with the old run's id. */
  readonly run: StoredRun
}

interface Waiting {
  readonly known: KnownCall
  readonly complete: (result: Envelope) => void
  isStopped: boolean
}

/**
 * Gives the recorded answers of a run to a chart, by agent path and ordinal of the call, for as
 * long as they fit. No call is made. With the chart of the run itself it comes to the same records.
 *
 * @throws AgentStatechartsError `chart_invalid`.
 */
export function replay({ header, records }: StoredRun, chart: AgentChart): Replay {
  const calls = new Map<number, KnownCall>()
  const old = pastRun({
    header,
    past: records,
    watch: { called: (call) => void calls.set(call.n, knownCall(call)), stopped: () => {} },
  })
  const fed: JournalRecord[] = []
  const changed: RequestDifference[] = []
  const waiting = new Lists<Waiting>()
  const parked = new Lists<{ readonly record: ResultRecord; readonly known: KnownCall }>()
  const unheard = new Lists<OutsideRecord>()
  const started: Waiting[] = []
  const asked = new Map<number, Waiting>()
  const stopped = new Set<string>()
  const next = pastRun({
    header: { ...header, chart },
    past: null,
    now: () => fed.at(-1)?.[3] ?? header.at,
    append: (record) => void fed.push(record),
    start: (call, complete) => {
      const one: Waiting = { known: knownCall(call), complete, isStopped: false }
      started.push(one)
      return () => {
        one.isStopped = true
        waiting.remove(mapKey(one.known), one)
        asked.delete(call.n)
        stopped.add(mapKey(one.known))
      }
    },
  })
  const answer = ({ known, complete }: Waiting, record: ResultRecord, before: KnownCall): void => {
    asked.delete(known.call.n)
    const difference = compareRequests(before, known)
    if (difference !== null) changed.push(difference)
    complete(resultIn(record))
  }
  /** Calls and requests that have come up may have been answered before their turn. */
  const catchUp = (): void => {
    for (;;) {
      const one = started.shift()
      if (one?.isStopped === true) continue
      if (one !== undefined) {
        asked.set(one.known.call.n, one)
        const early = parked.take(mapKey(one.known))
        if (early === undefined) waiting.add(mapKey(one.known), one)
        else answer(one, early.record, early.known)
        continue
      }
      const reply = unheard.isEmpty ? undefined : unheard.take(openAmong(next.run, unheard) ?? none)
      if (reply === undefined) return
      next.run.append(reply)
    }
  }
  catchUp()
  for (const record of records) {
    if (isOutside(record)) {
      if (isHeard(next.run, record[2])) next.run.append(record)
      else unheard.add(idOf(record[2]) ?? none, record)
    } else {
      const known = calls.get(record[0])
      if (known === undefined) continue
      const one = waiting.take(mapKey(known))
      if (one === undefined) parked.add(mapKey(known), { record, known })
      else answer(one, record, known)
    }
    catchUp()
  }
  wakeUp(asked, records.at(-1)?.[3] ?? header.at, catchUp)
  for (const record of records) if (!isOutside(record)) calls.delete(record[0])
  return report(old, next, new Set([...calls.values()].map(mapKey)), {
    unanswered: [...asked.values()]
      .map(({ known }) => known)
      .filter(({ kind }) => kind !== "pause"),
    unused: parked
      .all()
      .map(({ known }) => known)
      .filter((known) => known.kind !== "pause" && !stopped.has(mapKey(known))),
    unheard: unheard
      .all()
      .map(([, , event, at]) => ({ type: event.type, id: idOf(event) ?? "", at })),
    changed,
    run: { header: { ...header, chart }, records: fed },
  })
}

/** Stands for the id of events that have none. */
const none = "\u0000"

const idOf = ({ id }: MachineEvent): string | null => (typeof id === "string" ? id : null)

/**
 * Whether something in the run is there for an event: a request that it answers, a run that rests
 * or is open.
 */
function isHeard(run: RunExecution, event: MachineEvent): boolean {
  const id = idOf(event)
  if (id === null) return run.isOpen()
  return id === toRun
    ? run.isBetweenInvocations()
    : run.pending().some((request) => request.id === id)
}

function openAmong(run: RunExecution, unheard: Lists<unknown>): string | undefined {
  return run.isBetweenInvocations() && unheard.has(toRun)
    ? toRun
    : run.pending().find(({ id }) => unheard.has(id))?.id
}

/**
 * Pauses between attempts that were over when the old run ended are over, also where they are of
 * another length.
 */
function wakeUp(asked: Map<number, Waiting>, end: number, catchUp: () => void): void {
  for (;;) {
    const [n, due] =
      [...asked].find(([, { known }]) => known.kind === "pause" && untilOf(known) <= end) ?? []
    if (n === undefined || due === undefined) return
    asked.delete(n)
    due.complete({ ok: true, value: null, at: untilOf(due.known) })
    catchUp()
  }
}

const untilOf = ({ call }: KnownCall): number => (call.input as { readonly until: number }).until

/** `open` are the calls that the old run itself had no answer for when it ended. */
function report(
  old: PastRun,
  next: PastRun,
  open: ReadonlySet<string>,
  found: Pick<Replay, "unanswered" | "unused" | "unheard" | "changed" | "run">,
): Replay {
  const before = old.run.snapshot()
  const after = next.run.snapshot()
  const state = compareStates(before.state, after.state)
  const isLost = [found.unused, found.unheard, found.changed, state].some((list) => list.length > 0)
  const isSameEnd = before.status === after.status && before.text === after.text
  return {
    ...found,
    before,
    after,
    state,
    isSame: !isLost && isSameEnd && found.unanswered.every((call) => open.has(mapKey(call))),
  }
}
