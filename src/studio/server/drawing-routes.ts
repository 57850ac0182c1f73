import type { Hono } from "hono"
import * as z from "zod"
import type { DrawChart } from "../../drawing/svg/cached-drawings.js"
import { parseBody } from "../../serving/parse-request.js"
import type { RunHub } from "../../serving/run-hub.js"
import type { DrawnText } from "../api.js"
import type { CompileParts } from "./check-text.js"
import { chartOfText } from "./check-text.js"

/**
 * Maximum number of ids in the option `open`, which lists the agents and states that are unfolded
 * in the drawing.
 */
const maxOpen = 2_000

const options = z.strictObject({
  detail: z.enum(["agents", "tools", "all", "statechart"]).optional(),
  direction: z.enum(["down", "right"]).optional(),
  legend: z.boolean().optional(),
  open: z.array(z.string()).max(maxOpen).optional(),
})
const ofText = z.strictObject({ file: z.string(), text: z.string(), options })
const ofRun = z.strictObject({ options })

/** Returns the drawing options without undefined values. */
const defined = ({ detail, direction, legend, open }: z.infer<typeof options>) => ({
  ...(detail !== undefined && { detail }),
  ...(direction !== undefined && { direction }),
  ...(legend !== undefined && { legend }),
  ...(open !== undefined && open.length > 0 && { open }),
})

/**
 * Adds HTTP routes to the studio's API. The routes draw a chart with the options of the request.
 */
export function addDrawingRoutes(
  api: Hono,
  { runs, draw, ...parts }: CompileParts & { readonly runs: RunHub; readonly draw: DrawChart },
): void {
  api.post("/drawing", async (context) => {
    const { file, text, options: asked } = await parseBody(context.req.raw, ofText)
    const { chart } = await chartOfText(file, text, parts)
    return context.json({
      svg: chart === null ? null : await draw(chart, defined(asked)),
    } satisfies DrawnText)
  })
  api.post("/runs/:id/drawing", async (context) => {
    const { options: asked } = await parseBody(context.req.raw, ofRun)
    const { stored } = await runs.load(context.req.param("id"))
    return context.json({
      svg: await draw(stored.header.chart, defined(asked)),
    } satisfies DrawnText)
  })
}
