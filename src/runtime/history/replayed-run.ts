import type { RunEvent } from "../../machines/contract/run-event.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { Host } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader, JournalRecord } from "../journal/journal.js"
import { RunExecution } from "../run/run-execution.js"
import { loadProgram } from "../driver/program.js"
import type { RunParts, RunWatch } from "../run/run-parts.js"

/** A run that is fed what happened in one, and makes no call of its own. */
export interface PastRun {
  readonly run: RunExecution
  readonly events: readonly RunEvent[]
}

export interface PastParts {
  readonly header: JournalHeader
  /** What has happened; null for a run that has yet to begin. */
  readonly past: readonly JournalRecord[] | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
  /**
   * Told of each call that waits for its result when the past has been fed, and of those after it.
   */
  readonly start?: Host["start"]
  readonly append?: (record: JournalRecord) => void
  readonly now?: () => number
  /** Its machines, where they are compiled already. */
  readonly machine?: RunParts["machine"]
}

/** Everything is in memory and nothing is waited for, so it has happened when this returns. */
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
  // Calls of two runs are compared by the keys that they have in their own run.
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
