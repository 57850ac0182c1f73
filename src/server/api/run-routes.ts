import { Hono } from "hono"
import type * as z from "zod"
import type { DrawChart } from "../../drawing/svg/cached-drawings.js"
import { textOfContent } from "../../machines/contract/user-content.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunDetails } from "../../serving/run-details.js"
import type { RunHub } from "../../serving/run-hub.js"
import { streamEvents } from "../../serving/stream-events.js"
import type { StartRun } from "../runs/start-run.js"
import type { ServedWorkflows } from "../workflows/served-workflows.js"
import { addRoute } from "./add-route.js"
import { longestWait, messageOperations, operations } from "./operations.js"
import type { runBody } from "./response-bodies.js"

/** Creates the routes of the JSON API that start runs, read runs and answer their requests. */
export function runRoutes(
  workflows: ServedWorkflows,
  runs: RunHub,
  start: StartRun,
  draw: DrawChart,
): Hono {
  const routes = new Hono()
  const readRun = async (runId: string) => ({ body: runBodyOf(await runs.details(runId)) })

  addRoute(routes, operations.listWorkflows, () => ({
    body: workflows.all.map(({ id, file, chart }) => ({
      id,
      file,
      chart: chart.id,
      dialect: chart.dialect,
      prompt: chart.input.prompt === null ? null : textOfContent(chart.input.prompt),
    })),
  }))

  addRoute(routes, operations.listRuns, async ({ query: { limit = 100, status } }) => {
    const all = await runs.list()
    const matching = all.filter((run) => status === undefined || run.status === status)
    return { body: { runs: matching.slice(0, limit) } }
  })

  addRoute(routes, operations.startRun, async ({ body: { workflow, ...options } }) => {
    const runId = await start(workflows.get(workflow), options)
    return { ...(await readRun(runId)), headers: { location: `/v1/runs/${runId}` } }
  })

  addRoute(routes, operations.readRun, ({ runId }) => readRun(runId))

  addRoute(
    routes,
    operations.readResult,
    async ({ runId, query: { wait = 0 }, context: { req } }) => {
      const seconds = Math.min(wait, longestWait)
      if (seconds > 0) await waitUntilSettled(seconds * 1000, runs, runId, req.raw.signal)
      const { result, pending } = await runs.details(runId)
      const isOpen = result.status === "running" || result.status === "waiting"
      return { body: { ...result, pending }, status: isOpen ? 202 : 200 }
    },
  )

  addRoute(routes, operations.readEvents, async ({ runId, query, headers, context }) =>
    streamEvents(context, await runs.events(runId), headers["last-event-id"] ?? query.after),
  )

  addRoute(routes, operations.readDrawing, async ({ runId, context }) => {
    const { chart } = await runs.details(runId)
    return context.body(await draw(chart), 200, {
      "content-type": "image/svg+xml",
      "content-security-policy": drawingPolicy,
    })
  })

  addRoute(routes, operations.resume, async ({ runId }) => {
    await runs.resume(runId)
    return readRun(runId)
  })

  for (const operation of Object.values(messageOperations))
    addRoute(routes, operation, async ({ runId, body: message }) => {
      await runs.give(runId, message)
      return readRun(runId)
    })
  return routes
}

/**
 * Content security policy of an SVG drawing. If a browser opens the drawing as a page, the page
 * loads nothing and runs no scripts.
 */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const runBodyOf = ({
  runId,
  chart,
  origin,
  startedAt,
  isHere,
  result: { status, text, error, usage, toolFailures },
  pending,
  calledBy,
}: RunDetails): z.output<typeof runBody> => ({
  runId,
  chart: chart.id,
  file: origin.file,
  startedAt,
  isHere,
  ...(calledBy !== undefined && { calledBy }),
  status,
  text,
  error,
  usage,
  ...(toolFailures !== undefined && { toolFailures }),
  pending,
})

/**
 * Resolves when the run has no call in flight, when `ms` milliseconds have passed, or when the
 * client disconnects.
 */
async function waitUntilSettled(
  ms: number,
  runs: RunHub,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const { result, isHere } = await runs.details(runId)
  if (!isHere && result.status === "running")
    throw new HttpError(409, {
      code: "run_owned",
      message: `the run "${runId}" is not active on this server; resume it first, or send the request without wait`,
    })
  if (!isHere) return
  const { run } = await runs.ensureLive(runId)
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const timer = setTimeout(stop, ms)
  signal.addEventListener("abort", stop, { once: true })
  await Promise.race([run.whenSettled(), stopped])
  clearTimeout(timer)
}
