import type { RunEvent } from "../../machines/contract/run-event.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { Host } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import { RunExecution } from "../run/run-execution.js"
import { loadProgram } from "../driver/program.js"
import type { RunParts, RunWatch } from "../run/run-parts.js"

/** A run that was created from records and makes no calls. */
export interface PastRun {
  readonly run: RunExecution
  readonly events: readonly RunEvent[]
}

/** The input of `pastRun`. */
export interface PastParts {
  readonly header: JournalHeader
  /** The records to process; null for a run that starts. */
  readonly past: readonly JournalRecord[] | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
  /** Receives each call without a recorded result. */
  readonly start?: Host["start"]
  /** Receives each new record. */
  readonly append?: (record: JournalRecord) => void
  readonly now?: () => number
  /** The compiled machines of the chart. Default: they are compiled. */
  readonly machine?: RunParts["machine"]
}

/** Executes a run with records, synchronously and without calls. */
export function pastRun({
  header,
  past,
  watch,
  inspect,
  start = () => () => {},
  append = () => {},
  now,
  machine = compiledMachines(loadProgram(header.chart)),
}: PastParts): PastRun {
  const journal: Journal = {
    create: () => {},
    append: (_, record) => append(record),
    load: () => null,
  }
  const host: Host = { start, now: now ?? (() => past?.at(-1)?.[3] ?? header.at) }
  // The calls of two runs are compared by the keys of their own runs.
  const { keptKeys: _keptKeys, ...own } = header
  const run = new RunExecution(
    {
      header: own,
      machine,
      host,
      journal,
      refusal: null,
      session: null,
      ...(watch === undefined ? {} : { watch }),
      ...(inspect === undefined ? {} : { inspect }),
    },
    past !== null,
  )
  const events: RunEvent[] = []
  run.log.events$.subscribe((event) => void events.push(event))
  run.open(past, () => {})
  return { run, events }
}
