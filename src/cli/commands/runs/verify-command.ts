import type { Command } from "commander"
import type { RunCheck } from "../../../adapters/journal/jsonl/index.js"
import type { ExitCode } from "../../terminal/exit-codes.js"
import { exitCodes } from "../../terminal/exit-codes.js"
import { UsageProblem } from "../../errors/usage-problem.js"
import { findRunId } from "../../run/find-run.js"
import { openJournal } from "../../run/open-journal.js"
import type { JournalOption } from "../../options/run-options.js"
import { withJournal } from "../../options/run-options.js"
import { oneLine, safeJson, safeName } from "../../terminal/untrusted-text.js"
import type { Terminal } from "../../terminal/terminal.js"

interface VerifyOptions extends JournalOption {
  readonly json?: boolean
}

/**
 * Adds `runs verify`, which reads a journal completely and verifies the checksum of each record.
 */
export function addVerifyCommand(
  runs: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withJournal(runs.command("verify"))
    .description("compare all records with their checksums; changes nothing")
    .argument("[run]", "id of the run, or its first characters (default: all runs)")
    .option("--json", "print JSON")
    .action(async (run: string | undefined, options: VerifyOptions) => {
      const { journal, location, close } = await openJournal(options, terminal)
      try {
        if (journal.verify === undefined)
          throw new UsageProblem(
            `runs verify needs a journal in files, but ${location} is a database. PostgreSQL detects damage with its data checksums.`,
          )
        let checks = journal.verify(run)
        if (run !== undefined && checks.length === 0)
          checks = journal.verify(await findRunId(run, { journal, location }, options))
        if (options.json === true) terminal.print(safeJson(checks.map(asJson), 2))
        else
          for (const line of checks.flatMap((check) => checkLines(check, terminal)))
            terminal.print(line)
        const damaged = checks.filter(({ problem }) => problem !== null).length
        if (options.json !== true)
          terminal.print(
            `${checks.length} ${checks.length === 1 ? "run" : "runs"} checked, ${damaged} damaged`,
          )
        exit(damaged === 0 ? exitCodes.ok : exitCodes.failed)
      } finally {
        await close()
      }
    })
}

const asJson = ({ problem, ...check }: RunCheck): object => ({
  ...check,
  problem: problem === null ? null : { code: problem.code, message: problem.message },
})

function checkLines(
  { runId, location, records, problem, notes }: RunCheck,
  { paint }: Terminal,
): readonly string[] {
  const name = paint.bold(runId === null ? oneLine(location) : safeName(runId))
  return [
    problem === null
      ? `${name}  intact, ${records} ${records === 1 ? "record" : "records"}`
      : `${name}  ${problem.code}: ${oneLine(problem.message)}`,
    ...notes.map((note) => `  ${note}`),
  ]
}
