import type { Hono } from "hono"
import * as z from "zod"
import { parseBody } from "../../../serving/parse-request.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { WorkflowReports } from "../../checks-api.js"
import type { PolicyChecker } from "./policy-checker.js"
import { PolicyFiles } from "./policy-files.js"
import { ReportFiles } from "./report-files.js"
import type { WorkflowFolder } from "./workflow-folder.js"

const text = z.strictObject({ file: z.string(), text: z.string() })
const policies = text.extend({ policies: z.string() })
const played = policies.extend({ line: z.number().int().min(1) })

/** Adds the HTTP routes for policies, fault certificates and evaluations to the studio's API. */
export function addCheckRoutes(
  api: Hono,
  {
    workspace,
    runs,
    checker,
  }: { readonly workspace: WorkflowFolder; readonly runs: RunHub; readonly checker: PolicyChecker },
): void {
  const policyFiles = new PolicyFiles(workspace, checker)
  const reportFiles = new ReportFiles(workspace)
  api.post("/reports", async (context) => {
    const { file, text: source } = await parseBody(context.req.raw, text)
    const chart = await workspace.chartOf(file, source)
    return context.json({
      policies: policyFiles.list(file),
      ...reportFiles.find(file, chart),
      fingerprint: chart.fingerprint,
    } satisfies WorkflowReports)
  })
  api.post("/policies", async (context) => {
    const { file, text: source, policies: path } = await parseBody(context.req.raw, policies)
    const chart = await workspace.chartOf(file, source)
    return context.json(await policyFiles.decide(file, chart, path))
  })
  api.post("/policies/play", async (context) => {
    const { file, text: source, policies: path, line } = await parseBody(context.req.raw, played)
    const chart = await workspace.chartOf(file, source)
    return context.json({ runId: await policyFiles.play(file, chart, { path, line }, runs) }, 201)
  })
}
