import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { streamSSE } from "hono/streaming"
import * as z from "zod"
import type { RunMessage } from "../../runtime/run-message.js"
import type { DrawChart } from "./check-text.js"
import { chartToRun, checkText } from "./check-text.js"
import { onlyHosts, onlyWithToken, withHeaders } from "./guard.js"
import type { PageFiles } from "./page-files.js"
import { answerError, StudioRefusal } from "./refuse.js"
import type { StudioRuns } from "./studio-runs.js"
import type { Workspace } from "./workspace.js"

export interface StudioParts {
  readonly workspace: Workspace
  readonly runs: StudioRuns
  readonly draw: DrawChart
  readonly page: PageFiles
  readonly token: string
  /** Names under which the studio may be asked for. */
  readonly hosts: ReadonlySet<string>
}

const record = z.record(z.string(), z.unknown())
const file = z.strictObject({ file: z.string(), text: z.string() })
const start = z.strictObject({ file: z.string(), text: z.string(), prompt: z.string().optional(), state: record.optional(), scripted: z.boolean().optional() })
const forked = z.strictObject({ at: z.number().int().min(0), state: record.optional(), remove: z.array(z.string()).optional() })
// Its fields are the run's to check.
const message = z.looseObject({ type: z.string() })

const largestBody = 4 * 1024 * 1024

/** The studio over HTTP: everything under `/api` needs the token, the page itself holds nothing to guard. */
export function studioApp({ workspace, runs, draw, page, token, hosts }: StudioParts): Hono {
  const app = new Hono()
  app.onError(answerError)
  app.use(withHeaders, onlyHosts(hosts))
  const api = new Hono()
  api.use(onlyWithToken(token), bodyLimit({ maxSize: largestBody, onError: (context) => context.json({ code: "body_too_large", message: `a request has at most ${largestBody} bytes` }, 413) }))

  api.get("/files", (context) => context.json(workspace.list()))
  api.get("/file", (context) => context.json(workspace.read(context.req.query("path") ?? "")))
  api.put("/file", async (context) => {
    const { file: path, text } = await bodyOf(context.req.raw, file)
    await workspace.write(path, text)
    return context.json({ saved: path })
  })
  api.post("/check", async (context) => {
    const { file: path, text } = await bodyOf(context.req.raw, file)
    return context.json(await checkText(path, text, workspace, draw))
  })

  api.get("/runs", async (context) => context.json(await runs.list()))
  api.post("/runs", async (context) => {
    const { file: path, text, scripted = false, prompt, state } = await bodyOf(context.req.raw, start)
    const chart = chartToRun(path, text, workspace)
    const scenario = scripted ? workspace.scenarioOf(path) : null
    const runId = await runs.start(chart, { file: path, scenario }, { ...(prompt === undefined ? {} : { prompt }), ...(state === undefined ? {} : { state }) })
    return context.json({ runId }, 201)
  })
  api.get("/runs/:id", async (context) => context.json(await runs.open(context.req.param("id"))))
  api.get("/runs/:id/at", async (context) => {
    const [at, seen] = [wholeNumber(context.req.query("at")), wholeNumber(context.req.query("seen"))]
    return context.json(await runs.at(context.req.param("id"), { ...(at === undefined ? {} : { at }), ...(seen === undefined ? {} : { seen }) }))
  })
  api.post("/runs/:id/resume", async (context) => {
    await runs.resume(context.req.param("id"))
    return context.json({ resumed: context.req.param("id") })
  })
  api.post("/runs/:id/messages", async (context) => {
    await runs.give(context.req.param("id"), (await bodyOf(context.req.raw, message)) as unknown as RunMessage)
    return context.json({ given: true })
  })
  api.post("/runs/:id/fork", async (context) => {
    const { at, state, remove } = await bodyOf(context.req.raw, forked)
    return context.json({ runId: await runs.fork(context.req.param("id"), { at, ...(state === undefined ? {} : { state }), ...(remove === undefined ? {} : { remove }) }) }, 201)
  })
  api.get("/runs/:id/events", async (context) => {
    const source = await runs.events(context.req.param("id"))
    const last = wholeNumber(context.req.header("last-event-id"))
    return streamSSE(context, async (stream) => {
      const closed = new AbortController()
      stream.onAbort(() => closed.abort())
      let next = last === undefined ? 0 : last + 1
      // Each write waits for the reader, so that a slow one holds nothing but its own place.
      while (!closed.signal.aborted) {
        for (let event = source.events[next]; event !== undefined && !closed.signal.aborted; event = source.events[++next]) {
          await stream.writeSSE({ id: String(event.seq), data: JSON.stringify(event) })
        }
        if (source.isOver && next >= source.events.length) break
        await source.changed(closed.signal)
      }
      if (!closed.signal.aborted) await stream.writeSSE({ event: "end", data: "" })
    })
  })
  api.all("*", (context) => context.json({ code: "unknown_route", message: `the studio has no ${context.req.method} ${context.req.path}` }, 404))

  app.route("/api", api)
  app.get("*", (context) => page.answer(new URL(context.req.url).pathname))
  return app
}

async function bodyOf<Value>(request: Request, schema: z.ZodType<Value>): Promise<Value> {
  let body: unknown
  try {
    body = await request.json()
  } catch {
    throw new StudioRefusal(400, { code: "input_refused", message: "the body has to be JSON" })
  }
  const read = schema.safeParse(body)
  if (!read.success) throw new StudioRefusal(400, { code: "input_refused", message: z.prettifyError(read.error) })
  return read.data
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined
  if (!/^\d{1,12}$/.test(text)) throw new StudioRefusal(400, { code: "input_refused", message: `"${text}" is no whole number` })
  return Number(text)
}
