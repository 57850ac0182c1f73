import type { Hono } from "hono"
import type { CompleteJournal } from "../../../runtime/journal/journal.js"
import { loadRun } from "../../../runtime/journal/stored-run.js"
import { HttpError } from "../../../serving/http-error.js"
import { parseWholeNumber } from "../../../serving/parse-request.js"
import { actorDetails, machineChanges } from "./machine-view.js"

/** Adds the routes that show the machines of a run. */
export function addMachineRoutes(api: Hono, journal: CompleteJournal): void {
  api.get("/runs/:id/machines", async (context) => {
    const stored = await loadRun(journal, context.req.param("id"))
    const at = parseWholeNumber(context.req.query("at")) ?? stored.records.length
    const actor = context.req.query("actor")
    const after = parseWholeNumber(context.req.query("after")) ?? 0
    if (actor === undefined) return context.json(machineChanges(stored, at, after))
    const details = actorDetails(stored, at, actor)
    if (details === null)
      throw new HttpError(404, {
        code: "input_refused",
        message: `the machine "${actor}" does not exist in the run after ${at} records`,
      })
    return context.json(details)
  })
}
