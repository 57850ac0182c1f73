import { thrownMessage } from "../../errors.js"
import type { Resumption } from "../../server/runs/resumption.js"
import { counted } from "../format/counted.js"
import { oneLine } from "../terminal/untrusted-text.js"

/**
 * Creates the value of the server option `resume`. Its callbacks print the number of interrupted
 * runs that the server has resumed, and the runs that it could not resume.
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
          ? `interrupted runs could not be searched: ${thrownMessage(error)}`
          : `run ${runId} could not be resumed, and the server will try again: ${thrownMessage(error)}`,
      ),
    ),
})
