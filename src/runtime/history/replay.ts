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
import { noRequestId } from "../run/replies.js"
import type { RunExecution } from "../run/run-execution.js"
import type { PastRun } from "./execute-past.js"
import type { ReplayedParts } from "./replayed-run.js"
import { pastRun } from "./replayed-run.js"
import { QueuesByKey } from "./queues-by-key.js"
import type { StateDifference } from "./compare-states.js"
import { compareStates } from "./compare-states.js"

/**
 * Result of `replay`. It lists the differences between a recorded run and a new execution of a
 * chart that received the recorded results.
 */
export interface Replay {
  /**
   * True if the replayed run has the same calls, requests, state, status and text as the recorded
   * run.
   */
  readonly isSame: boolean
  /**
   * Calls of the replayed run that have no recorded result, in the order of their start. If the run
   * is resumed with this chart, it makes these calls.
   */
  readonly unanswered: readonly KnownCall[]
  /** Calls with a recorded result that the replayed run does not make. */
  readonly unused: readonly KnownCall[]
  /**
   * Recorded answers and other external events, such as a stop, that the replayed run does not
   * accept. `id` is the id of the answered request, and `at` is a time in milliseconds since the
   * epoch.
   */
  readonly unaccepted: readonly {
    readonly type: string
    readonly id: string
    readonly at: number
  }[]
  /** Calls that have different requests in the recorded run and in the replay. */
  readonly changed: readonly RequestDifference[]
  readonly before: RunResult
  readonly after: RunResult
  readonly state: readonly StateDifference[]
  /**
   * The replayed run: its header with the new chart, and its records. It has the id of the recorded
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
 * Executes a chart with the recorded results of a run and returns the differences. Models and tools
 * are not called. A call receives the recorded result of the call with the same agent path and
 * number. If `chart` is the chart of the run, there are no differences.
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function replay(stored: StoredRun, chart: AgentChart): Replay {
  const { dropped: _dropped, ...found } = replayWith(stored, { chart })
  return found
}

/**
 * Result of a replay with the additional list `dropped`. It contains the calls that the replayed
 * run had stopped before their recorded results could be used.
 */
export interface CompleteReplay extends Replay {
  readonly dropped: readonly KnownCall[]
}

type Machines = ReplayedParts["machine"]

/**
 * The chart with which a run is replayed, and optionally the executable machines of this chart and
 * of the recorded chart. If machines are missing, the charts are compiled.
 */
export interface ReplayChart {
  readonly chart: AgentChart
  readonly machine?: Machines
  /** Returns the executable machine for a machine key of the recorded run's chart. */
  readonly machineBefore?: Machines
}

/**
 * Does the same as `replay`, but can use machines that are already compiled. Also returns the calls
 * that the replayed run had stopped before their recorded results could be used.
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
  const unaccepted = new QueuesByKey<OutsideRecord>()
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
   * Delivers the recorded results and answers that were read before the replayed run made the call
   * or created the request to which they belong.
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
      const reply = unaccepted.isEmpty
        ? undefined
        : unaccepted.take(nextAwaitedId(next.run, unaccepted) ?? none)
      if (reply === undefined) return
      next.run.append(reply)
    }
  }
  catchUp()
  for (const record of records) {
    if (isOutside(record)) {
      if (isAwaited(next.run, record[2])) next.run.append(record)
      else unaccepted.add(idOf(record[2]) ?? none, record)
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
    unaccepted: unaccepted
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

/** Key in `unaccepted` for external events without a request id, such as a stop. */
const none = "\u0000"

const idOf = ({ id }: MachineEvent): string | null => (typeof id === "string" ? id : null)

/**
 * Returns true if the run accepts an external event at this time. An answer is accepted if its
 * request is pending. A message that starts an invocation is accepted between two invocations. All
 * other events are accepted while the run is open.
 */
function isAwaited(run: RunExecution, event: MachineEvent): boolean {
  const id = idOf(event)
  if (id === null) return run.isOpen()
  return id === noRequestId
    ? run.isBetweenInvocations()
    : run.pending().some((request) => request.id === id)
}

function nextAwaitedId(run: RunExecution, unaccepted: QueuesByKey<unknown>): string | undefined {
  return run.isBetweenInvocations() && unaccepted.has(noRequestId)
    ? noRequestId
    : run.pending().find(({ id }) => unaccepted.has(id))?.id
}

/**
 * Ends all pauses that are due at `end`, which is the time of the last record in milliseconds since
 * the epoch. This is necessary because the new chart may define another pause length than the
 * recorded chart.
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
 * Creates the result of `replay`. `open` contains the keys of the calls that have no result in the
 * recorded run.
 */
function report(
  old: PastRun,
  next: PastRun,
  open: ReadonlySet<string>,
  found: Pick<Replay, "unanswered" | "unused" | "unaccepted" | "changed" | "run">,
): Replay {
  const before = old.run.snapshot()
  const after = next.run.snapshot()
  const state = compareStates(before.state, after.state)
  const isLost = [found.unused, found.unaccepted, found.changed, state].some(
    (list) => list.length > 0,
  )
  const isSameEnd = before.status === after.status && before.text === after.text
  return {
    ...found,
    before,
    after,
    state,
    isSame: !isLost && isSameEnd && found.unanswered.every((call) => open.has(mapKey(call))),
  }
}
