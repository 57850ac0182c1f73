import { AgentStatechartsError } from "../../errors.js"
import type { StoredRun } from "../../runtime/journal/journal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { OpenJournal } from "./open-journal.js"

/** Finds a stored run by its id or by a unique prefix of its id. */
export async function findRun(given: string, { journal, place }: OpenJournal): Promise<StoredRun> {
  const stored = await journal.load(given)
  if (stored !== null) return stored
  const fitting =
    given === "" ? [] : (await journal.list()).filter(({ runId }) => runId.startsWith(given))
  const [only, ...others] = fitting
  if (only === undefined)
    throw new AgentStatechartsError(
      "run_unknown",
      `the run "${given}" does not exist in ${place}; list all runs with agent-statecharts runs list`,
    )
  if (others.length > 0)
    throw new UsageProblem(
      `${fitting.length} runs begin with "${given}": ${fitting
        .slice(0, 5)
        .map(({ runId }) => runId)
        .join(", ")}${fitting.length > 5 ? ", ..." : ""}. Pass more characters of the id.`,
    )
  return (
    (await journal.load(only.runId)) ??
    Promise.reject(
      new AgentStatechartsError(
        "run_unknown",
        `the run "${only.runId}" has just been removed from ${place}`,
      ),
    )
  )
}
