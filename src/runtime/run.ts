import type { Observable } from "rxjs"
import type { RunError, RunEvent } from "../machines/run-event.js"
import type { CompiledMachine } from "./compiled-machine.js"
import type { Host, LeafCall } from "./host.js"
import type { Inspect } from "./inspect-run.js"
import type { Instance } from "./instance.js"
import type { Journal, JournalHeader, JournalRecord } from "./journal.js"
import { OpenRun } from "./open-run.js"
import type { RunControls } from "./run-controls.js"
import { controlsOf } from "./run-controls.js"
import type { RunSession } from "./run-session.js"

/** One execution of a chart. */
export interface Run extends RunControls {
  readonly runId: string
  /** Every event of the run in its order, the past first. Completes when the run has finished. */
  readonly events$: Observable<RunEvent>
}

/** What a run is made of. */
export interface RunParts {
  readonly header: JournalHeader
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /** Why the run cannot start, if so. */
  readonly refusal: RunError | null
  /** The session that it is an invocation in; null for a run that stands alone. */
  readonly session: RunSession | null
  /** Is told of every call and of every machine that ends, also while the past is fed. */
  readonly watch?: RunWatch
  readonly inspect?: Inspect
}

export interface RunWatch {
  called(call: LeafCall): void
  stopped(instance: Instance): void
}

/** A run as its runner holds it. */
export interface HeldRun {
  readonly run: Run
  /** Settles when this process has let go of the run. */
  readonly left: Promise<void>
  /** Stops here what the run is doing, without a record of it: whoever resumes the run goes on. */
  suspend(): void
}

/** An open run as whoever starts it gets it. */
export const asRun = (open: OpenRun, runId: string): Run => Object.assign(controlsOf(open), { runId, events$: open.log.events$ })

/** Starts a run, or takes one up again by feeding it what its journal holds; `before` comes before calls are made again. */
export function openRun(parts: RunParts, past: readonly JournalRecord[] | null, before: (run: Run) => void = () => {}): HeldRun {
  const open = new OpenRun(parts, past !== null)
  const run = asRun(open, parts.header.runId)
  try {
    open.open(past, () => before(run))
  } catch (error) {
    parts.session?.release()
    throw error
  }
  return { run, left: open.left.promise, suspend: () => open.suspend() }
}
