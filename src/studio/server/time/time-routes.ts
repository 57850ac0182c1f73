import type { Hono } from "hono"
import * as z from "zod"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { CompleteJournal } from "../../../runtime/journal/journal.js"
import { loadRun } from "../../../runtime/journal/stored-run.js"
import { HttpError } from "../../../serving/http-error.js"
import { instructionsOf } from "../../../serving/override-instructions.js"
import { parseBody, parseInput } from "../../../serving/parse-request.js"
import type { RunHub } from "../../../serving/run-hub.js"
import { originOf } from "../../../serving/run-origin.js"
import type { OpenRunServices } from "../../../serving/run-services.js"
import { storeRerun } from "../../../serving/store-rerun.js"
import type { AgentInstruction, StoredRerun } from "../../compare-api.js"
import { compareRuns } from "./compare-runs.js"

const record = z.record(z.string(), z.unknown())
const forked = z.strictObject({
  at: z.number().int().min(0),
  state: record.optional(),
  remove: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  instructions: z.record(z.string(), z.string()).optional(),
})
const compared = z.object({ a: z.string(), b: z.string() })

interface TimeParts {
  readonly runs: RunHub
  readonly journal: CompleteJournal
  readonly openServices: OpenRunServices
  /** Compiles the current content of a workflow file on disk. */
  readonly chartOf: (file: string) => Promise<AgentChart>
}

/**
 * Adds the HTTP routes that fork runs, compare runs, and execute a run again with a changed
 * workflow to the studio's API.
 */
export function addTimeRoutes(
  api: Hono,
  { runs, journal, openServices, chartOf }: TimeParts,
): void {
  api.get("/runs/:id/instructions", async (context) => {
    const { header } = await loadRun(journal, context.req.param("id"))
    return context.json(
      [...instructionsOf(header.chart)].map(([agent, text]) => ({
        agent,
        text,
      })) satisfies readonly AgentInstruction[],
    )
  })
  api.post("/runs/:id/fork", async (context) => {
    const { at, state, remove, prompt, instructions } = await parseBody(context.req.raw, forked)
    const runId = await runs.fork(context.req.param("id"), {
      at,
      ...(state !== undefined && { state }),
      ...(remove !== undefined && { remove }),
      ...(prompt !== undefined && { prompt }),
      ...(instructions !== undefined && { instructions }),
    })
    return context.json({ runId }, 201)
  })
  api.post("/runs/:id/counterfactual", async (context) => {
    const stored = await loadRun(journal, context.req.param("id"))
    const { file } = originOf(stored.header.about)
    if (file === null)
      throw new HttpError(409, {
        code: "input_refused",
        message:
          "the run was not started from a workflow file in this studio, so it cannot be executed with a changed file",
      })
    const { run, calls } = await storeRerun(journal, stored, await chartOf(file), openServices)
    return context.json({ runId: run.header.runId, calls } satisfies StoredRerun, 201)
  })
  api.get("/compare", async (context) => {
    const { a, b } = parseInput(compared, context.req.query())
    return context.json(compareRuns(await loadRun(journal, a), await loadRun(journal, b)))
  })
}
