import type { ExitCode } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import { executeRun } from "./execute-run.js"
import { findRun } from "./find-run.js"
import { openJournal } from "./open-journal.js"
import type { RunOptions } from "../options/run-options.js"
import { refuseOtherServices } from "../options/run-options.js"

/** Options of {@link resumeRun}, which resumes a stored run. */
export interface ResumeRunOptions {
  /**
   * Answer to submit as soon as the resumed run is idle, for example to answer its pending request.
   */
  readonly firstAnswer?: AnswerEntry
  /** Whether to prompt the user at the terminal to answer requests of the run. */
  readonly askUser: boolean
  readonly cancel?: boolean
}

/**
 * Resumes a stored run in this process and executes it until it is idle or finished. `idOrPrefix`
 * is the id of the run, or its first characters.
 */
export async function resumeRun(
  idOrPrefix: string,
  options: RunOptions,
  resumeOptions: ResumeRunOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const store = await openJournal(options, terminal)
  try {
    const { chart, runId, about } = (await findRun(idOrPrefix, store, options)).header
    if (resumeOptions.cancel !== true) refuseOtherServices(about, options)
    return await executeRun(
      {
        chart,
        store,
        options,
        open: (runner, before) => runner.resume(runId, { before }),
        ...resumeOptions,
      },
      terminal,
    )
  } finally {
    await store.close()
  }
}
