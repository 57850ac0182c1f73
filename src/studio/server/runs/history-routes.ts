import type { Hono } from "hono"
import type { CompleteJournal } from "../../../runtime/journal/journal.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunHub } from "../../../serving/run-hub.js"
import { RunHistory } from "./run-history.js"

/**
 * Adds the HTTP routes that list, repeat, download and delete the runs of a workflow to the
 * studio's API.
 */
export function addHistoryRoutes(
  api: Hono,
  { runs, journal }: { readonly runs: RunHub; readonly journal: CompleteJournal },
): void {
  const history = new RunHistory(runs)
  api.get("/history", async (context) => {
    const { file = "", chart = "" } = context.req.query()
    return context.json(await history.of(file, chart))
  })
  api.post("/runs/:id/rerun", async (context) => {
    const { stored, origin } = await runs.load(context.req.param("id"))
    const { chart, input } = stored.header
    const { prompt, state, artifacts, context: values } = input
    const runId = await runs.start(chart, origin, {
      ...(prompt !== null && { prompt }),
      ...(artifacts !== undefined && { artifacts }),
      ...(values !== undefined && { context: values }),
      state,
    })
    return context.json({ runId }, 201)
  })
  api.get("/runs/:id/stored", async (context) => {
    const { stored } = await runs.load(context.req.param("id"))
    return context.json(stored)
  })
  api.delete("/runs/:id", async (context) => {
    const runId = context.req.param("id")
    const live = runs.findLive(runId)
    if (live !== null && !live.hasEnded) {
      if (live.run.status === "running" || live.run.status === "waiting")
        throw new HttpError(409, {
          code: "run_open",
          message: `the studio executes the run "${runId}"; cancel it before you delete it`,
        })
      // The run is idle between two messages.
      await runs.give(runId, { type: "end" })
    }
    await live?.closed
    if (!(await runs.has(runId)))
      throw new HttpError(404, {
        code: "run_unknown",
        message: `the run "${runId}" does not exist`,
      })
    await journal.delete(runId)
    history.delete(runId)
    return context.json({ deleted: runId })
  })
}
