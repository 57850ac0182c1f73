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
import type { PastRun } from "./execute-past.js"
import type { ReplayedParts } from "./replayed-run.js"
import { pastRun } from "./replayed-run.js"
import { QueuesByKey } from "./queues-by-key.js"
import type { StateDifference } from "./compare-states.js"
import { compareStates } from "./compare-states.js"

/**
 * The result of `replay`: the differences between a recorded run and a chart that was executed with
 * the recorded results.
 */
export interface Replay {
  /**
   * Whether the replayed run has the same calls, requests, state, status and text as the recorded
   * run.
   */
  readonly isSame: boolean
  /**
   * Calls of the chart that have no recorded result, in the order in which they start. If the run
   * is resumed with this chart, it makes these calls.
   */
  readonly unanswered: readonly KnownCall[]
  /** Calls with a recorded result that the chart does not make. */
  readonly unused: readonly KnownCall[]
  /** Recorded answers and other external events that the chart does not accept. */
  readonly unheard: readonly { readonly type: string; readonly id: string; readonly at: number }[]
  /** Calls whose request differs between the recorded run and the replay. */
  readonly changed: readonly RequestDifference[]
  readonly before: RunResult
  readonly after: RunResult
  readonly state: readonly StateDifference[]
  /**
   * The replayed run: the new chart and the records of the replay. It has the id of the recorded
   * run.
   */
  readonly run: StoredRun
}

interface StartedCall {
  readonly known: KnownCall
  readonly complete: (result: Envelope) => void
  isStopped: boolean
}

/**
 * Executes a chart with the recorded results of a run and returns the differences. Makes no calls.
 * Recorded results are assigned to calls by agent path and call number. If `chart` is the chart of
 * the run, the replay has the same result as the run.
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function replay(stored: StoredRun, chart: AgentChart): Replay {
  const { dropped: _dropped, ...found } = replayWith(stored, { chart })
  return found
}

/**
 * A replay, together with the recorded results that it could not use because the replayed run had
 * stopped their calls.
 */
export interface CompleteReplay extends Replay {
  readonly dropped: readonly KnownCall[]
}

type Machines = ReplayedParts["machine"]

/**
 * The chart with which a run is replayed, and optionally the compiled machines of this chart and of
 * the recorded chart. Missing machines are compiled.
 */
export interface ReplayChart {
  readonly chart: AgentChart
  readonly machine?: Machines
  /** The compiled machines of the recorded run's chart, by key. */
  readonly machineBefore?: Machines
}

/**
 * Like `replay`, but can use machines that are already compiled, and also returns the recorded
 * results of calls that the replayed run had stopped.
 */
export function replayWith(
  { header, records }: StoredRun,
  { chart, machine, machineBefore }: ReplayChart,
): CompleteReplay {
  const calls = new Map<number, KnownCall>()
  const old = pastRun({
    header,
    past: records,
    ...withMachine(machineBefore),
    watch: { called: (call) => void calls.set(call.n, knownCall(call)), stopped: () => {} },
  })
  const newRecords: JournalRecord[] = []
  const changed: RequestDifference[] = []
  const awaitingResult = new QueuesByKey<StartedCall>()
  const earlyResults = new QueuesByKey<{
    readonly record: ResultRecord
    readonly known: KnownCall
  }>()
  const unheard = new QueuesByKey<OutsideRecord>()
  const newCalls: StartedCall[] = []
  const inFlight = new Map<number, StartedCall>()
  const stopped = new Set<string>()
  const next = pastRun({
    header: { ...header, chart },
    past: null,
    ...withMachine(machine),
    now: () => newRecords.at(-1)?.[3] ?? header.at,
    append: (record) => void newRecords.push(record),
    start: (call, complete) => {
      const startedCall: StartedCall = { known: knownCall(call), complete, isStopped: false }
      newCalls.push(startedCall)
      return () => {
        startedCall.isStopped = true
        awaitingResult.remove(mapKey(startedCall.known), startedCall)
        inFlight.delete(call.n)
        stopped.add(mapKey(startedCall.known))
      }
    },
  })
  const answer = (
    { known, complete }: StartedCall,
    record: ResultRecord,
    before: KnownCall,
  ): void => {
    inFlight.delete(known.call.n)
    const difference = compareRequests(before, known)
    if (difference !== null) changed.push(difference)
    complete(resultIn(record))
  }
  /**
   * Delivers recorded results and answers that appeared in the journal before their call or request
   * was made in the replay.
   */
  const catchUp = (): void => {
    for (;;) {
      const startedCall = newCalls.shift()
      if (startedCall?.isStopped === true) continue
      if (startedCall !== undefined) {
        inFlight.set(startedCall.known.call.n, startedCall)
        const early = earlyResults.take(mapKey(startedCall.known))
        if (early === undefined) awaitingResult.add(mapKey(startedCall.known), startedCall)
        else answer(startedCall, early.record, early.known)
        continue
      }
      const reply = unheard.isEmpty
        ? undefined
        : unheard.take(nextAwaitedId(next.run, unheard) ?? none)
      if (reply === undefined) return
      next.run.append(reply)
    }
  }
  catchUp()
  for (const record of records) {
    if (isOutside(record)) {
      if (isAwaited(next.run, record[2])) next.run.append(record)
      else unheard.add(idOf(record[2]) ?? none, record)
    } else {
      const known = calls.get(record[0])
      if (known === undefined) continue
      const startedCall = awaitingResult.take(mapKey(known))
      if (startedCall === undefined) earlyResults.add(mapKey(known), { record, known })
      else answer(startedCall, record, known)
    }
    catchUp()
  }
  endPauses(inFlight, records.at(-1)?.[3] ?? header.at, catchUp)
  for (const record of records) if (!isOutside(record)) calls.delete(record[0])
  const early = earlyResults.all().map(({ known }) => known)
  const found = report(old, next, new Set([...calls.values()].map(mapKey)), {
    unanswered: [...inFlight.values()]
      .map(({ known }) => known)
      .filter(({ kind }) => kind !== "pause"),
    unused: early.filter((known) => known.kind !== "pause" && !stopped.has(mapKey(known))),
    unheard: unheard
      .all()
      .map(([, , event, at]) => ({ type: event.type, id: idOf(event) ?? "", at })),
    changed,
    run: { header: { ...header, chart }, records: newRecords },
  })
  const dropped = early.filter((known) => known.kind !== "pause" && stopped.has(mapKey(known)))
  return { ...found, dropped }
}

const withMachine = (machine: Machines): Pick<ReplayedParts, "machine"> =>
  machine === undefined ? {} : { machine }

/** Map key for events that do not answer a request. */
const none = "\u0000"

const idOf = ({ id }: MachineEvent): string | null => (typeof id === "string" ? id : null)

/**
 * Returns whether the run accepts an external event now. An answer requires that its request is
 * pending, and a message that starts an invocation requires that the run is between two
 * invocations. Other events require that the run is open.
 */
function isAwaited(run: RunExecution, event: MachineEvent): boolean {
  const id = idOf(event)
  if (id === null) return run.isOpen()
  return id === toRun
    ? run.isBetweenInvocations()
    : run.pending().some((request) => request.id === id)
}

function nextAwaitedId(run: RunExecution, unheard: QueuesByKey<unknown>): string | undefined {
  return run.isBetweenInvocations() && unheard.has(toRun)
    ? toRun
    : run.pending().find(({ id }) => unheard.has(id))?.id
}

/**
 * Ends all pauses that are due by `end`, the time of the last record. This is necessary because the
 * length of a pause may differ between the two charts.
 */
function endPauses(inFlight: Map<number, StartedCall>, end: number, catchUp: () => void): void {
  for (;;) {
    const [n, due] =
      [...inFlight].find(([, { known }]) => known.kind === "pause" && untilOf(known) <= end) ?? []
    if (n === undefined || due === undefined) return
    inFlight.delete(n)
    due.complete({ ok: true, value: null, at: untilOf(due.known) })
    catchUp()
  }
}

const untilOf = ({ call }: KnownCall): number => (call.input as { readonly until: number }).until

/**
 * Builds the result of `replay`. `open` contains the map keys of the recorded run's calls without a
 * result.
 */
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
