import type { CompleteJournal, Journal } from "../runtime/journal/journal.js"
import type { Runner } from "../runtime/runner/runner.js"
import { createRunner } from "../runtime/runner/runner.js"
import type { RunServices } from "./run-services.js"

/** A runner for a run, and what is to be done when the run is over or was left. */
export interface Carried {
  readonly runner: Runner
  close(): Promise<void>
}

/** Runs that are answered by the same services have one runner, which loads each chart once. */
export class Runners {
  readonly #journal: Journal
  readonly #shared = new Map<RunServices, Runner>()
  readonly #own = new Set<Runner>()
  /** Who wants to hear when a run is in the journal, or was taken. */
  readonly #waiting = new Map<string, () => void>()

  constructor(journal: CompleteJournal) {
    this.#journal = {
      ...journal,
      create: async (header) => {
        await journal.create(header)
        this.#waiting.get(header.runId)?.()
      },
      acquire: async (runId) => {
        await journal.acquire(runId)
        this.#waiting.get(runId)?.()
      },
    }
  }

  runnerFor(services: RunServices): Carried {
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

  /** Settles when the journal has stored the run or given it to this process. */
  stored(runId: string): { readonly settled: Promise<void>; forget(): void } {
    const settled = new Promise<void>((resolve) => this.#waiting.set(runId, resolve))
    return { settled, forget: () => void this.#waiting.delete(runId) }
  }

  /** Leaves every run as it is; they can be resumed. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared.values(), ...this.#own].map((runner) => runner.close()))
  }
}
