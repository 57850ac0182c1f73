import type { RunEvent } from "../../../machines/contract/run-event.js"
import type { HubRun } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { HistoryRun } from "../../api.js"
import { runDuration } from "./run-duration.js"

/** Maximum number of runs in the history of a workflow. */
const maxRuns = 30

/**
 * The duration, tokens and cost of a run, computed from its events, and the workflow file of the
 * run.
 */
type RunUsage = Omit<HistoryRun, keyof HubRun> & { readonly file: string | null }

/** Lists the latest runs of workflows with their duration, tokens and cost. */
export class RunHistory {
  readonly #runs: RunHub
  /**
   * The cached usage of runs that have ended, by run id. It cannot change after the end of a run.
   */
  readonly #ended = new Map<string, RunUsage>()

  constructor(runs: RunHub) {
    this.#runs = runs
  }

  /**
   * Returns the latest runs of a workflow file, newest first. `chart` is the id of the workflow's
   * chart. Includes runs of this chart that other programs have started.
   */
  async of(file: string, chart: string): Promise<readonly HistoryRun[]> {
    const listed = (await this.#runs.list()).filter((run) => run.chart === chart)
    const found: HistoryRun[] = []
    for (const run of listed) {
      if (found.length >= maxRuns) break
      const { file: origin, ...usage } = await this.#usageOf(run)
      if (origin === null || origin === file) found.push({ ...run, ...usage })
    }
    return found
  }

  /** Removes a run from the cache after it was deleted. */
  delete(runId: string): void {
    this.#ended.delete(runId)
  }

  async #usageOf({ runId, startedAt }: HubRun): Promise<RunUsage> {
    const known = this.#ended.get(runId)
    if (known !== undefined) return known
    const { events, origin } = await this.#runs.details(runId)
    const usage = { ...usageIn(startedAt, events), file: origin.file }
    if (events.at(-1)?.type === "run.finished") this.#ended.set(runId, usage)
    return usage
  }
}

function usageIn(startedAt: number, events: readonly RunEvent[]): Omit<RunUsage, "file"> {
  let tokens: number | null = null
  let cost: number | null = null
  for (const event of events) {
    if (event.type !== "model.responded") continue
    const { usage } = event.answer
    if (usage === null) continue
    tokens = (tokens ?? 0) + usage.inputTokens + usage.outputTokens
    if (usage.cost !== undefined) cost = (cost ?? 0) + usage.cost
  }
  return { durationMs: runDuration(startedAt, events), tokens, cost }
}
