import { AgentStatechartsError } from "../../errors.js"
import type { StoredRun } from "../../runtime/journal/journal.js"
import { listCommand } from "../format/follow-up-commands.js"
import type { JournalOption } from "../options/run-options.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { OpenStores } from "./open-journal.js"

/**
 * Loads a stored run by its id or by the first characters of its id. Throws an error if no run or
 * several runs match.
 */
export async function findRun(
  idOrPrefix: string,
  { journal, location }: Pick<OpenStores, "journal" | "location">,
  options: JournalOption,
): Promise<StoredRun> {
  const stored = await journal.load(idOrPrefix)
  if (stored !== null) return stored
  const runId = await findRunId(idOrPrefix, { journal, location }, options)
  return (
    (await journal.load(runId)) ??
    Promise.reject(
      new AgentStatechartsError(
        "run_unknown",
        `the run "${runId}" was removed from ${location} while the command was reading it`,
      ),
    )
  )
}

/**
 * Returns the id of the only stored run whose id begins with these characters. Throws an error if
 * no run or several runs match.
 */
export async function findRunId(
  idOrPrefix: string,
  { journal, location }: Pick<OpenStores, "journal" | "location">,
  options: JournalOption,
): Promise<string> {
  const found =
    idOrPrefix === ""
      ? []
      : (await journal.list()).filter(({ runId }) => runId.startsWith(idOrPrefix))
  // The id of a child run begins with the id of its caller. The caller is then the matching run.
  const ids = new Set(found.map(({ runId }) => runId))
  const matches = found.filter(({ calledBy }) => calledBy === undefined || !ids.has(calledBy.runId))
  const [only, ...others] = matches
  if (only === undefined)
    throw new AgentStatechartsError(
      "run_unknown",
      `the run "${idOrPrefix}" does not exist in ${location}. List all runs with: ${listCommand(options)}`,
    )
  if (others.length > 0)
    throw new UsageProblem(
      `${matches.length} run ids begin with "${idOrPrefix}": ${matches
        .slice(0, 5)
        .map(({ runId }) => runId)
        .join(", ")}${matches.length > 5 ? ", ..." : ""}. Pass more characters of the id.`,
    )
  return only.runId
}
