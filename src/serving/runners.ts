import type { CompleteJournal, Journal } from "../runtime/journal/journal.js"
import type { Runner } from "../runtime/runner/runner.js"
import type { Run } from "../runtime/run/run.js"
import { runnerParts } from "../runtime/runner/runner.js"
import type { CalledRuns } from "../runtime/runner/called-runs.js"
import type { RunServices, RunStores } from "./run-services.js"

/** The runner that executes a certain run. Other runs may use the same runner. */
export interface AssignedRunner {
  readonly runner: Runner
  /**
   * Releases the runner and closes the services that only this run uses. Call this method after the
   * run has ended.
   */
  close(): Promise<void>
}

/**
 * Assigns a runner to each run of a server. Runs with shared services use the same runner, so that
 * each chart is loaded only once.
 */
export class Runners {
  readonly #journal: Journal
  readonly #stores: RunStores
  readonly #shared = new Map<RunServices, Runner>()
  readonly #own = new Set<Runner>()
  readonly #calledRuns = new Map<Runner, CalledRuns>()
  readonly #findRun: (runId: string) => Run | null
  /**
   * Callbacks by run id. They are called when the journal has stored a new run or acquired the
   * lease of an existing run.
   */
  readonly #onStored = new Map<string, () => void>()

  /**
   * Creates the runners for the runs of `journal`. If `stores` has no session store, sessions are
   * kept in memory. `findRun` returns a run that the server already executes, or null.
   */
  constructor(journal: CompleteJournal, stores: RunStores, findRun: (runId: string) => Run | null) {
    this.#findRun = findRun
    this.#stores = stores
    this.#journal = {
      ...journal,
      create: async (header) => {
        await journal.create(header)
        this.#onStored.get(header.runId)?.()
      },
      acquire: async (runId) => {
        await journal.acquire(runId)
        this.#onStored.get(runId)?.()
      },
    }
  }

  runnerFor(services: RunServices): AssignedRunner {
    if (services.isShared === true) {
      const runner = this.#shared.get(services) ?? this.#createRunner(services)
      this.#shared.set(services, runner)
      return { runner, close: async () => {} }
    }
    const runner = this.#createRunner(services)
    this.#own.add(runner)
    return {
      runner,
      close: async () => {
        this.#own.delete(runner)
        this.#calledRuns.delete(runner)
        await runner.close()
        await services.close()
      },
    }
  }

  /**
   * Returns the child run with this id if one of the runners executes it for another run. Otherwise
   * returns null.
   */
  async findChild(runId: string): Promise<Run | null> {
    for (const calledRuns of this.#calledRuns.values()) {
      const run = await calledRuns.find(runId)
      if (run !== null) return run
    }
    return null
  }

  #createRunner(services: RunServices): Runner {
    const { sessions, memory, responseCache, onRun } = this.#stores
    const { runner, calledRuns } = runnerParts(
      {
        ...(responseCache !== undefined && { responseCache }),
        ...services.calls,
        ...services.policies,
        journal: this.#journal,
        ...(onRun !== undefined && { onRun }),
        ...(sessions !== undefined && { sessions }),
        ...(memory !== undefined && services.usesMemory === true && { memory }),
      },
      this.#findRun,
    )
    this.#calledRuns.set(runner, calledRuns)
    return runner
  }

  /**
   * Returns a promise `stored` for a run that is being started or resumed. It resolves when the
   * journal has stored the new run or acquired the lease of the existing run. Afterwards, call
   * `stopWatching` to remove the callback that resolves the promise.
   */
  watchStored(runId: string): { readonly stored: Promise<void>; stopWatching(): void } {
    const stored = new Promise<void>((resolve) => this.#onStored.set(runId, resolve))
    return { stored, stopWatching: () => void this.#onStored.delete(runId) }
  }

  /** Closes all runners. Their runs are suspended and can be resumed later. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared.values(), ...this.#own].map((runner) => runner.close()))
  }
}
