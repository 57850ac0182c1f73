import { wordsOf } from "../../errors.js"
import type { Resumption } from "../../server/runs/resumption.js"
import { counted } from "../format/counted.js"
import { oneLine } from "../terminal/untrusted-text.js"

/**
 * Creates the server option `resume`. It prints how many interrupted runs the server has resumed,
 * and which runs it could not resume.
 */
export const resumption = (
  print: (text: string) => void,
  warn: (text: string) => void,
): Resumption => ({
  onResumed: (runs) => print(`Resumed ${counted(runs, "interrupted run")}.`),
  onFailed: (error, runId) =>
    warn(
      oneLine(
        runId === null
          ? `interrupted runs could not be searched: ${wordsOf(error)}`
          : `run ${runId} could not be resumed, and the server will try again: ${wordsOf(error)}`,
      ),
    ),
})
