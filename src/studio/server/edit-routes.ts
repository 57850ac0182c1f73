import type { Hono } from "hono"
import * as z from "zod"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { agentForm, editableWorkflow } from "../../compiler/edit/describe-agents.js"
import type { EditedWorkflow } from "../../compiler/edit/edit-workflow.js"
import { editWorkflow } from "../../compiler/edit/edit-workflow.js"
import { parseBody } from "../../serving/parse-request.js"
import type { EditRefusal, EditResult } from "../edit-api.js"
import type { CompileParts } from "./check-text.js"
import { chartOfText, compiledChart, folderOfText } from "./check-text.js"

const name = z.string()
const placement = z.union([
  z.strictObject({ into: name }),
  z.strictObject({ before: name }),
  z.strictObject({ after: name }),
])
const edge = { from: name, to: name, route: name.nullable() }
const command = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("addAgent"),
    type: z.string(),
    name: name.optional(),
    placement,
    fields: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ kind: z.literal("removeAgent"), name }),
  z.strictObject({ kind: z.literal("moveAgent"), name, placement }),
  z.strictObject({
    kind: z.literal("wrapAgents"),
    names: z.array(name),
    type: z.enum(["SequentialAgent", "ParallelAgent", "LoopAgent"]),
    newName: name.optional(),
  }),
  z.strictObject({ kind: z.literal("unwrapAgent"), name }),
  z.strictObject({
    kind: z.literal("setField"),
    agent: name,
    field: z.array(z.union([z.string(), z.number().int().min(0)])),
    value: z.unknown().optional(),
  }),
  z.strictObject({ kind: z.literal("renameAgent"), from: name, to: name }),
  z.strictObject({ kind: z.literal("connectNodes"), name, ...edge }),
  z.strictObject({ kind: z.literal("disconnectNodes"), name, ...edge }),
  z.strictObject({
    kind: z.literal("changeRoute"),
    name,
    ...edge,
    newRoute: name.nullable(),
  }),
])
const edited = z.strictObject({ file: z.string(), text: z.string() })
const withCommand = z.strictObject({ ...edited.shape, command })
const isChart: EditRefusal = {
  code: "config_invalid",
  message: "This file is a compiled chart.",
  fix: "Edit the workflow from which it was compiled.",
}
const withName = z.strictObject({ ...edited.shape, name })

/**
 * Adds the HTTP routes that edit the agents in a workflow text. They return the text changes and do
 * not write files.
 */
export function addEditRoutes(api: Hono, parts: CompileParts): void {
  const opened = async ({ file, text }: z.infer<typeof edited>): Promise<EditedWorkflow> => ({
    text,
    options: { ...(await parts.services.compileOptionsOf(file)), file },
    folder: /\.ya?ml$/i.test(file) ? folderOfText(file, text, parts.workspace) : null,
  })
  api.post("/edit", async (context) => {
    const { command: given, ...file } = await parseBody(context.req.raw, withCommand)
    if (compiledChart(file.text) !== null) return context.json({ refused: isChart })
    const result = editWorkflow(await opened(file), given)
    if (result.refused !== null) return context.json(result satisfies EditResult)
    const { diagnostics } = await chartOfText(file.file, result.text, parts)
    const errors = diagnostics.filter(({ severity }) => severity === "error")
    const known =
      errors.length === 0 ? [] : (await chartOfText(file.file, file.text, parts)).diagnostics
    return context.json({
      ...result,
      diagnostics: diagnostics.filter(({ severity }) => severity !== "hint"),
      newErrors: newErrors(known, errors),
    } satisfies EditResult)
  })
  api.post("/edit/agents", async (context) => {
    const file = await parseBody(context.req.raw, edited)
    const isEditable = compiledChart(file.text) === null
    return context.json(isEditable ? editableWorkflow(await opened(file)) : { refused: isChart })
  })
  api.post("/edit/agent", async (context) => {
    const { name: agent, ...file } = await parseBody(context.req.raw, withName)
    const isEditable = compiledChart(file.text) === null
    return context.json(isEditable ? agentForm(await opened(file), agent) : { refused: isChart })
  })
}

/**
 * Returns the errors that a text has after an edit, but did not have before. Errors that only moved
 * to another location are not included.
 */
function newErrors(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const keyOf = ({ code, message }: Diagnostic): string => `${code} ${message}`
  const known = new Set(before.map(keyOf))
  return after.filter((each) => !known.has(keyOf(each)))
}
