import type { CompleteJournal, Journal } from "../runtime/journal/journal.js"
import type { Runner } from "../runtime/runner/runner.js"
import { createRunner } from "../runtime/runner/runner.js"
import type { RunServices } from "./run-services.js"

/** A runner that is assigned to a run. */
export interface AssignedRunner {
  readonly runner: Runner
  /**
   * Releases the runner. Call it after the run has ended. Services that only this run uses are
   * closed.
   */
  close(): Promise<void>
}

/**
 * Assigns a runner to each run. Runs with shared services use the same runner, so each chart is
 * loaded once.
 */
export class Runners {
  readonly #journal: Journal
  readonly #shared = new Map<RunServices, Runner>()
  readonly #own = new Set<Runner>()
  /**
   * Callbacks by run id. They are called when the journal has stored a new run or acquired an
   * existing run.
   */
  readonly #onStored = new Map<string, () => void>()

  constructor(journal: CompleteJournal) {
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
      const runner =
        this.#shared.get(services) ??
        createRunner({ ...services.calls, ...services.policies, journal: this.#journal })
      this.#shared.set(services, runner)
      return { runner, close: async () => {} }
    }
    const runner = createRunner({ ...services.calls, ...services.policies, journal: this.#journal })
    this.#own.add(runner)
    return {
      runner,
      close: async () => {
        this.#own.delete(runner)
        await runner.close()
        await services.close()
      },
    }
  }

  /**
   * Returns a promise that resolves when the journal has stored or acquired the run. `stopWatching`
   * must be called to release the callback.
   */
  watchStored(runId: string): { readonly stored: Promise<void>; stopWatching(): void } {
    const stored = new Promise<void>((resolve) => this.#onStored.set(runId, resolve))
    return { stored, stopWatching: () => void this.#onStored.delete(runId) }
  }

  /** Closes all runners. Their runs are suspended and can be resumed. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared.values(), ...this.#own].map((runner) => runner.close()))
  }
}
