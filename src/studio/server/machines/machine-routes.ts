import type { Hono } from "hono"
import type { CompleteJournal } from "../../../runtime/journal/journal.js"
import { loadRun } from "../../../runtime/journal/stored-run.js"
import { HttpError } from "../../../serving/http-error.js"
import { parseWholeNumber } from "../../../serving/parse-request.js"
import { PastMachines } from "./machine-view.js"

/** Adds the HTTP route that returns the state machines of a run to the studio's API. */
export function addMachineRoutes(api: Hono, journal: CompleteJournal): void {
  const machines = new PastMachines()
  api.get("/runs/:id/machines", async (context) => {
    const stored = await loadRun(journal, context.req.param("id"))
    const position = parseWholeNumber(context.req.query("at")) ?? stored.records.length
    const actor = context.req.query("actor")
    const after = parseWholeNumber(context.req.query("after")) ?? 0
    const found = machines.read(stored, position, actor === undefined ? { after } : { actor })
    if (found === null)
      throw new HttpError(404, {
        code: "input_refused",
        message: `the run has no machine "${actor}" at record ${position} of its journal; reload the page to see its current machines`,
      })
    return context.json(found)
  })
}
