import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import * as z from "zod"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { callerOf } from "../../runtime/journal/journal.js"
import type { RunMessage } from "../../runtime/run/run-message.js"
import { parseBody, parseWholeNumber } from "../../serving/parse-request.js"
import { respondWithError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"
import { streamEvents } from "../../serving/stream-events.js"
import type { RunWithChart } from "../api.js"
import type { DrawChart } from "../../drawing/svg/cached-drawings.js"
import { callAttempts } from "./call-attempts.js"
import { addCheckRoutes } from "./checks/check-routes.js"
import type { PolicyChecker } from "./checks/policy-checker.js"
import { policiesOfRun } from "./checks/run-policies.js"
import { chartToRun, checkText } from "./check-text.js"
import { addDrawingRoutes } from "./drawing-routes.js"
import { addEditRoutes } from "./edit-routes.js"
import type { EditedText } from "./editor-help/editor-help.js"
import { completionsAt, hoverAt } from "./editor-help/editor-help.js"
import { requireHost, requireToken, securityHeaders } from "./guard.js"
import { addMachineRoutes } from "./machines/machine-routes.js"
import type { PageFiles } from "./page-files.js"
import { addHistoryRoutes } from "./runs/history-routes.js"
import { overrideAgents } from "./runs/override-agents.js"
import { addTimeRoutes } from "./time/time-routes.js"
import { addSnapshotRoutes } from "./snapshot-routes.js"
import type { StudioServices } from "./studio-services.js"
import type { Workspace } from "./workspace.js"

/** The objects that the HTTP routes of the studio need. */
export interface StudioParts {
  readonly workspace: Workspace
  readonly services: StudioServices
  readonly runs: RunHub
  readonly journal: CompleteJournal
  readonly checker: PolicyChecker
  readonly draw: DrawChart
  readonly page: PageFiles
  readonly token: string
  /** Host names that requests may use, for example `localhost`. Other requests are rejected. */
  readonly hosts: ReadonlySet<string>
}

const record = z.record(z.string(), z.unknown())
const saved = z.strictObject({ file: z.string(), text: z.string(), base: z.string().optional() })
const checked = z.strictObject({
  file: z.string(),
  text: z.string(),
  scripted: z.boolean().default(false),
})
const allowed = z.strictObject({ file: z.string(), isAllowed: z.boolean() })
const cursor = z.strictObject({
  file: z.string(),
  text: z.string(),
  offset: z.number().int().min(0),
})
const start = z.strictObject({
  file: z.string(),
  text: z.string(),
  prompt: z.string().optional(),
  state: record.optional(),
  scripted: z.boolean().optional(),
  overrides: z
    .record(
      z.string(),
      z.strictObject({
        model: z.string().optional(),
        instruction: z.string().optional(),
        temperature: z.number().optional(),
      }),
    )
    .optional(),
})
const callPosition = z.strictObject({
  kind: z.enum(["model", "tool"]),
  path: z.string(),
  id: z.string(),
})
// The run validates the other fields.
const message = z.looseObject({ type: z.string() })

/** Maximum size of the body of an API request, in bytes. */
const maxBodyBytes = 4 * 1024 * 1024

/**
 * Creates the HTTP application of the studio, which serves the page and the API. All routes below
 * `/api` require the token.
 */
export function studioApp({
  workspace,
  services,
  runs,
  journal,
  checker,
  draw,
  page,
  token,
  hosts,
}: StudioParts): Hono {
  const app = new Hono()
  app.onError(respondWithError)
  app.use(securityHeaders, requireHost(hosts))
  const api = new Hono()
  api.use(
    requireToken(token),
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: (context) =>
        context.json(
          {
            code: "body_too_large",
            message: `The body of a request must not exceed ${maxBodyBytes} bytes.`,
          },
          413,
        ),
    }),
  )

  api.get("/files", (context) => context.json(workspace.list()))
  api.get("/file", (context) => context.json(workspace.read(context.req.query("path") ?? "")))
  api.put("/file", async (context) => {
    const { file: path, text, base } = await parseBody(context.req.raw, saved)
    await workspace.write(path, text, base)
    return context.json({ saved: path })
  })
  api.post("/check", async (context) =>
    context.json(
      await checkText(await parseBody(context.req.raw, checked), { workspace, services, draw }),
    ),
  )
  api.post("/module", async (context) => {
    const { file: path, isAllowed } = await parseBody(context.req.raw, allowed)
    workspace.allowModule(path, isAllowed)
    return context.json({ isAllowed })
  })

  addEditRoutes(api, { workspace, services })
  addDrawingRoutes(api, { workspace, services, runs, draw })

  const editedText = async (request: Request): Promise<EditedText> => {
    const { file: path, text, offset } = await parseBody(request, cursor)
    return { path, text, offset }
  }
  api.post("/completions", async (context) =>
    context.json({ completions: completionsAt(await editedText(context.req.raw)) }),
  )
  api.post("/hover", async (context) =>
    context.json({ hover: hoverAt(await editedText(context.req.raw)) }),
  )

  addCheckRoutes(api, {
    workspace: {
      folder: workspace.folder,
      resolve: (path) => workspace.resolve(path),
      chartOf: (path, text) => chartToRun(path, text, { workspace, services }),
    },
    runs,
    checker,
  })
  addHistoryRoutes(api, { runs, journal })
  api.get("/runs", async (context) => context.json(await runs.list()))
  api.post("/runs", async (context) => {
    const {
      file: path,
      text,
      scripted = false,
      prompt,
      state,
      overrides = {},
    } = await parseBody(context.req.raw, start)
    const chart = overrideAgents(await chartToRun(path, text, { workspace, services }), overrides)
    const scenario = scripted ? workspace.scenarioOf(path) : null
    const runId = await runs.start(
      chart,
      { file: workspace.rootOf(path), scenario, module: workspace.allowedModuleOf(path) },
      { ...(prompt !== undefined && { prompt }), ...(state !== undefined && { state }) },
    )
    return context.json({ runId }, 201)
  })
  api.get("/runs/:id", async (context) => {
    const { stored, origin, ...run } = await runs.load(context.req.param("id"))
    const { chart, input, forkedFrom } = stored.header
    const prompt = input.prompt === null ? null : textOfContent(input.prompt)
    return context.json({
      ...run,
      svg: await draw(chart),
      file: origin.file,
      scenario: origin.scenario,
      prompt,
      forkedFrom: forkedFrom ?? null,
      caller: callerOf(stored.header).calledBy ?? null,
      ...policiesOfRun(stored.header),
    } satisfies RunWithChart)
  })
  api.get("/runs/:id/status", async (context) =>
    context.json(await runs.summary(context.req.param("id"))),
  )
  addSnapshotRoutes(api, journal)
  api.post("/runs/:id/resume", async (context) => {
    await runs.resume(context.req.param("id"))
    return context.json({ resumed: context.req.param("id") })
  })
  api.post("/runs/:id/messages", async (context) => {
    await runs.give(
      context.req.param("id"),
      (await parseBody(context.req.raw, message)) as unknown as RunMessage,
    )
    return context.json({ given: true })
  })
  addMachineRoutes(api, journal)
  addTimeRoutes(api, {
    runs,
    journal,
    openServices: services.open,
    chartOf: (path) => chartToRun(path, workspace.read(path).text, { workspace, services }),
  })
  api.post("/runs/:id/call", async (context) => {
    const position = await parseBody(context.req.raw, callPosition)
    const { stored } = await runs.load(context.req.param("id"))
    return context.json({ attempts: callAttempts(stored, position) })
  })
  api.get("/runs/:id/events", async (context) => {
    return streamEvents(
      context,
      await runs.events(context.req.param("id")),
      parseWholeNumber(context.req.header("last-event-id")),
    )
  })
  api.all("*", (context) =>
    context.json(
      {
        code: "unknown_route",
        message: `The studio has no route ${context.req.method} ${context.req.path}.`,
      },
      404,
    ),
  )

  app.route("/api", api)
  app.get("*", (context) =>
    page.respond(
      new URL(context.req.url).pathname,
      /\bgzip\b/.test(context.req.header("accept-encoding") ?? ""),
    ),
  )
  return app
}
