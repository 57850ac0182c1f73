import type { RunEvent } from "../../machines/contract/run-event.js"
import type { Host } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import { RunExecution } from "../run/run-execution.js"
import type { RunParts, RunWatch } from "../run/run-parts.js"

/** A run that was executed from journal records. */
export interface PastRun {
  readonly run: RunExecution
  readonly events: readonly RunEvent[]
  /**
   * Numbers of events that the run had emitted after its start and after each record that `advance`
   * has processed.
   */
  readonly eventCounts: readonly number[]
  /**
   * Processes the next records. The run is then in the same state as if it had been executed from
   * all records at once. Then calls `before`, and after that calls `start` with each call that has
   * no result.
   */
  advance(records: readonly JournalRecord[], before: () => void): void
}

export interface PastParts {
  readonly header: JournalHeader
  /** Records to process; null to start a new run. */
  readonly past: readonly JournalRecord[] | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
  /**
   * Called with each call that has no recorded result. Default: the call is ignored and receives no
   * result.
   */
  readonly start?: Host["start"]
  /** Called with each new record that the run appends to its journal. */
  readonly append?: (record: JournalRecord) => void
  readonly now?: () => number
  /** Returns a compiled machine of the chart by its key. */
  readonly machine: RunParts["machine"]
  readonly policyGate: RunParts["policyGate"]
}

/** Executes a run from its journal records. The execution is synchronous and calls no services. */
export function executePast({
  header,
  past,
  watch,
  inspect,
  start = () => () => {},
  append = () => {},
  now,
  machine,
  policyGate,
}: PastParts): PastRun {
  const journal: Journal = {
    create: () => {},
    append: (_, record) => append(record),
    load: () => null,
  }
  let time = past?.at(-1)?.[3] ?? header.at
  const host: Host = { start, now: now ?? (() => time) }
  // `keptKeys` is removed, so that calls of two runs can be compared by the keys of each run.
  const { keptKeys: _keptKeys, ...own } = header
  const run = new RunExecution(
    {
      header: own,
      machine,
      host,
      journal,
      refusal: null,
      session: null,
      policyGate,
      ...(watch !== undefined && { watch }),
      ...(inspect !== undefined && { inspect }),
    },
    past !== null,
  )
  const events: RunEvent[] = []
  run.log.events$.subscribe((event) => void events.push(event))
  run.open(past, () => {})
  const eventCounts = [events.length]
  return {
    run,
    events,
    eventCounts,
    advance(records, before) {
      for (const record of records) {
        time = record[3]
        run.append(record)
        eventCounts.push(events.length)
      }
      before()
      run.chart.endReplay()
      run.settled()
      eventCounts[eventCounts.length - 1] = events.length
    },
  }
}
