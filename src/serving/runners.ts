import type { CompleteJournal, Journal } from "../runtime/journal/journal.js"
import type { Runner } from "../runtime/runner/runner.js"
import { createRunner } from "../runtime/runner/runner.js"
import type { RunServices } from "./run-services.js"

/** A runner for one run. */
export interface AssignedRunner {
  readonly runner: Runner
  /** Releases the runner when the run has ended. Closes the services that only this run uses. */
  close(): Promise<void>
}

/** Assigns runners to runs. Runs with the same services share a runner, which loads each chart once. */
export class Runners {
  readonly #journal: Journal
  readonly #shared = new Map<RunServices, Runner>()
  readonly #own = new Set<Runner>()
  /** Called when the journal has stored or acquired a run, by run id. */
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
        this.#shared.get(services) ?? createRunner({ ...services.calls, journal: this.#journal })
      this.#shared.set(services, runner)
      return { runner, close: async () => {} }
    }
    const runner = createRunner({ ...services.calls, journal: this.#journal })
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

  /** Watches a run until the journal has created it, or acquired it for this process. */
  watchStored(runId: string): { readonly stored: Promise<void>; stopWatching(): void } {
    const stored = new Promise<void>((resolve) => this.#onStored.set(runId, resolve))
    return { stored, stopWatching: () => void this.#onStored.delete(runId) }
  }

  /** Closes all runners. Their runs do not end and can be resumed. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared.values(), ...this.#own].map((runner) => runner.close()))
  }
}
