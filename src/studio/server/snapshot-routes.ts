import type { Hono } from "hono"
import * as z from "zod"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { loadRun } from "../../runtime/journal/stored-run.js"
import { HttpError } from "../../serving/http-error.js"
import { parseInput, parseWholeNumber } from "../../serving/parse-request.js"
import { Snapshots } from "./studio-snapshot.js"

const turnPosition = z.object({
  at: z.coerce.number().int().min(0),
  group: z.string(),
  index: z.coerce.number().int().min(0),
})

/**
 * Adds the HTTP routes that return the state of a run at a position in its journal, and the
 * conversation of one turn.
 */
export function addSnapshotRoutes(api: Hono, journal: CompleteJournal): void {
  const snapshots = new Snapshots()
  api.get("/runs/:id/at", async (context) => {
    const [at, seen] = [
      parseWholeNumber(context.req.query("at")),
      parseWholeNumber(context.req.query("seen")),
    ]
    return context.json(
      snapshots.snapshot(await loadRun(journal, context.req.param("id")), {
        ...(at !== undefined && { at }),
        ...(seen !== undefined && { seen }),
      }),
    )
  })
  api.get("/runs/:id/turn", async (context) => {
    const runId = context.req.param("id")
    const position = parseInput(turnPosition, context.req.query())
    const turn = await snapshots.turn(runId, position, () => loadRun(journal, runId))
    if (turn === null)
      throw new HttpError(404, {
        code: "input_refused",
        message: `the run has no turn ${position.index} of ${position.group} after ${position.at} records`,
      })
    return context.json(turn)
  })
}
