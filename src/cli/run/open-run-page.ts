import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { memoryJournal } from "../../runtime/host/memory-journal.js"
import type { RunOptions } from "../options/run-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { untilInterrupted } from "../terminal/until-interrupted.js"
import type { OpenStores } from "./open-journal.js"
import { openStudio } from "../studio/open-studio.js"

/** A studio in this process that shows the statechart of a run in the browser. */
export interface RunPage {
  /** Journal from which the studio reads the run. It is in memory if the run is not stored. */
  readonly journal: CompleteJournal
  /** Prints the URL of the run's page to stderr. The output of the run goes to stdout. */
  announce(runId: string): void
  /**
   * Closes the studio. If `stays` is true and the terminal is interactive, first waits for Ctrl-C.
   */
  close(stays: boolean): Promise<void>
}

/**
 * Starts a studio that shows a run in the browser. If `store` is null, the run is not stored. It is
 * then kept in memory while the studio is open.
 */
export async function openRunPage(
  port: number | true,
  store: OpenStores | null,
  { scripted: _scripted, record: _record, cassette: _cassette, ...options }: RunOptions,
  terminal: Terminal,
): Promise<RunPage> {
  const journal = store?.journal ?? memoryJournal()
  const location = store?.location ?? ".agent-statecharts/runs"
  const studio = await openStudio(
    { path: ".", port: port === true ? 0 : port, journal, location },
    options,
    terminal,
  )
  return {
    journal,
    announce(runId) {
      terminal.printError(
        `Inspect the run at ${studio.url}#/run/${encodeURIComponent(runId)}?panel=machines`,
      )
    },
    async close(stays) {
      if (stays && terminal.isInteractive) {
        terminal.printError("The page stays open. Press Ctrl-C to close it.")
        await untilInterrupted(terminal)
      }
      await studio.close()
    },
  }
}
