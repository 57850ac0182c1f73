import type { RunEvent } from "../../machines/contract/run-event.js"
import type { Host } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import { RunExecution } from "../run/run-execution.js"
import type { RunParts, RunWatch } from "../run/run-parts.js"

/** A run that was executed again from its journal records. */
export interface PastRun {
  readonly run: RunExecution
  readonly events: readonly RunEvent[]
  /**
   * Running totals of the emitted events. The first number is the total after the start of the run
   * and the records in `past`. Each further number is the total after a record that `advance` has
   * processed.
   */
  readonly eventCounts: readonly number[]
  /**
   * Processes the next records. The run is then in the same state as if all records had been
   * processed at once. Calls `before` after the last record, and then calls `start` with each call
   * that has no recorded result.
   */
  advance(records: readonly JournalRecord[], before: () => void): void
}

export interface PastParts {
  readonly header: JournalHeader
  /** Journal records to process. null to start a new run. */
  readonly past: readonly JournalRecord[] | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
  /**
   * Called with each call that has no recorded result. Must return a function that stops the call.
   * By default, the call is ignored and never receives a result.
   */
  readonly start?: Host["start"]
  /** Called with each new record that the run adds to its journal. */
  readonly append?: (record: JournalRecord) => void
  readonly now?: () => number
  /** Returns the executable machine for a machine key of the chart. */
  readonly machine: RunParts["machine"]
  readonly policyGate: RunParts["policyGate"]
}

/**
 * Executes a run again from its journal records. The execution is synchronous and does not call
 * models or tools. `start` receives the calls that have no recorded result.
 */
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
  // `keptKeys` (the idempotency keys of an earlier run) is removed, so that the calls of two runs
  // can be compared by the keys of each run.
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
