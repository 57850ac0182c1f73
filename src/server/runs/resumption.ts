import { AgentStatechartsError } from "../../errors.js"
import type { RunSummary } from "../../runtime/journal/journal.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"

/** Options for resuming interrupted runs, which no process executes. */
export interface Resumption {
  /** Interval between two searches for interrupted runs, in milliseconds. Default: 5,000. */
  readonly intervalMs?: number
  /**
   * Called with the number of resumed runs after each search that has resumed at least one run. Not
   * called for the first search, which takes place at startup.
   */
  readonly onResumed?: (runs: number) => void
  /**
   * Called if a run cannot be resumed, or if the search for interrupted runs fails (`runId` is then
   * null). A run that could not be resumed is tried again at increasing intervals of up to one
   * hour.
   */
  readonly onFailed?: (error: unknown, runId: string | null) => void
}

/**
 * Result of a search for interrupted runs. Contains the numbers of runs that were resumed and that
 * could not be resumed.
 */
export interface ResumedRuns {
  readonly resumed: number
  readonly failed: number
}

/**
 * Retry data of a run that could not be resumed. `delay` is in milliseconds, and `retryAt` is in
 * milliseconds since the epoch.
 */
interface Failure {
  readonly delay: number
  readonly retryAt: number
}

const maxDelayMs = 3_600_000

/**
 * Background job that resumes the runs of a journal that no process executes. These are runs of
 * servers that have stopped, and waiting runs whose deadline has passed. If several servers find
 * the same run, only one of them becomes its owner.
 */
export class RunResumer {
  readonly #runs: RunHub
  readonly #options: Resumption
  readonly #intervalMs: number
  readonly #failures = new Map<string, Failure>()
  /** Ids of the interrupted runs that the previous search found. Null before the first search. */
  #resumed: ReadonlySet<string> | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #active: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(runs: RunHub, options: Resumption) {
    this.#runs = runs
    this.#options = options
    this.#intervalMs = options.intervalMs ?? 5_000
  }

  /**
   * Resumes the interrupted runs, and then repeats the search for interrupted runs at regular
   * intervals until `close` is called. Resolves to the result of the first search.
   */
  async start(): Promise<ResumedRuns> {
    const first = await this.#search()
    this.#schedule()
    return first
  }

  /** Stops searching for interrupted runs. Resolves when a search in progress has finished. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#active
  }

  #schedule(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#active = this.#searchAgain().finally(() => this.#schedule())
    }, this.#intervalMs)
  }

  async #searchAgain(): Promise<void> {
    try {
      const { resumed } = await this.#search()
      if (resumed > 0) this.#options.onResumed?.(resumed)
    } catch (error) {
      this.#options.onFailed?.(error, null)
    }
  }

  async #search(): Promise<ResumedRuns> {
    const now = Date.now()
    const runs = await this.#runs.resumable(now)
    const found = new Set(runs.map(({ runId }) => runId))
    for (const runId of this.#failures.keys()) if (!found.has(runId)) this.#failures.delete(runId)
    const ready = runs.filter((run) => this.#isReady(run, found, now))
    let [resumed, failed] = [0, 0]
    for (const group of callersFirst(ready)) {
      const outcomes = await Promise.all(group.map(({ runId }) => this.#resume(runId, now)))
      resumed += outcomes.filter((outcome) => outcome === "resumed").length
      failed += outcomes.filter((outcome) => outcome === "failed").length
    }
    this.#resumed = found
    return { resumed, failed }
  }

  #isReady({ runId, calledBy }: RunSummary, found: ReadonlySet<string>, now: number): boolean {
    if ((this.#failures.get(runId)?.retryAt ?? 0) > now) return false
    // The server that has resumed the caller may be about to resume this run, too. The run is
    // resumed here only if it still has no owner at the next search.
    const isCallerElsewhere = calledBy !== undefined && !found.has(calledBy.runId)
    return !isCallerElsewhere || this.#resumed === null || this.#resumed.has(runId)
  }

  async #resume(runId: string, now: number): Promise<"resumed" | "failed" | "taken"> {
    try {
      await this.#runs.resume(runId)
    } catch (error) {
      const code = codeOf(error)
      if (code === "run_owned" || code === "run_unknown") return "taken"
      if (code !== "run_finished") {
        this.#fail(runId, error, now)
        return "failed"
      }
    }
    this.#failures.delete(runId)
    return "resumed"
  }

  #fail(runId: string, error: unknown, now: number): void {
    const delay = Math.min(2 * (this.#failures.get(runId)?.delay ?? this.#intervalMs), maxDelayMs)
    this.#failures.set(runId, { delay, retryAt: now + delay })
    this.#options.onFailed?.(error, runId)
  }
}

function codeOf(error: unknown): string | null {
  if (error instanceof HttpError) return error.body.code
  return error instanceof AgentStatechartsError ? error.code : null
}

/**
 * Yields runs in groups, so that each run is in a later group than the run that called it. Callers
 * are resumed first, because a resumed caller also resumes the child runs that it awaits. A child
 * run that is resumed on its own would replay its caller.
 */
function* callersFirst(runs: readonly RunSummary[]): Generator<readonly RunSummary[]> {
  let left = runs
  while (left.length > 0) {
    const ids = new Set(left.map(({ runId }) => runId))
    const isCalled = ({ calledBy }: RunSummary): boolean =>
      calledBy !== undefined && ids.has(calledBy.runId)
    yield left.filter((run) => !isCalled(run))
    left = left.filter(isCalled)
  }
}
