import { AgentStatechartsError } from "../../../errors.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import { checkChart } from "../../../machines/contract/check-chart.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { workflowAgent } from "../../agent-types/workflow-agent.js"
import type { CalledWorkflow, ParsedWorkflowAgent } from "../config/called-workflow.js"
import type { ParserLocation } from "../context/parser-context.js"
import type { ReadDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { filledText } from "./plain-values.js"

/**
 * Parses the field `workflow` of a WorkflowAgent: the name of a registered workflow, or a compiled
 * chart.
 */
export const calledWorkflow: Reader<string | AgentChart> = (value, location) => {
  if (!isJsonObject(value)) {
    const name = filledText(value, location)
    return name === null || !/^\.{0,2}\/|\.(?:json|ya?ml)$/i.test(name)
      ? name
      : report(location, {
          code: "bad_value",
          problem: `is ${describeValue(name)}, which is a path and not the name of a registered workflow`,
          fix: `Write the path in the field "workflowFile" instead: "workflowFile": ${describeValue(name)}.`,
        })
  }
  try {
    // `checkChart` also accepts charts that earlier versions of the package compiled.
    checkChart(value, "workflow")
    return value as unknown as AgentChart
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    return report(location, {
      code: "bad_value",
      problem: `is an object that is not a compiled chart: ${error.message}`,
      fix: "Pass the result of compileOrThrow(config), or the name of a registered workflow.",
    })
  }
}

/**
 * Parses the field `workflowFile` of a WorkflowAgent, and compiles the workflow in this file of the
 * config's folder.
 */
export const workflowFile: Reader<CalledWorkflow> = (value, location) => {
  const written = filledText(value, location)
  if (written === null) return null
  const { compileFile } = location.parser
  return compileFile === null
    ? report(location, {
        code: "missing_file",
        problem: `refers to the file ${describeValue(written)}, which is not available: this config was passed without its folder`,
        fix: 'Pass the folder: compile(text, { folder: openFolder("workflow.json") }).',
      })
    : compileFile(written, location)
}

/**
 * Parses a WorkflowAgent and the workflow that it calls. Reports an error if both `workflow` and
 * `workflowFile` are set.
 */
export function readWorkflowAgent(
  { values, locationOf: fieldAt, has }: ReadDescribed<typeof workflowAgent.fields>,
  location: ParserLocation,
): ParsedWorkflowAgent {
  const { workflow, workflowFile: file, ...others } = values
  if (has("workflow") && has("workflowFile"))
    report(fieldAt("workflowFile"), {
      code: "bad_value",
      problem: 'is set in addition to "workflow", but an agent calls one workflow',
      fix: 'Remove "workflow" or "workflowFile".',
      part: "key",
    })
  const target =
    file ??
    (workflow === null
      ? null
      : typeof workflow === "string"
        ? { name: workflow, chart: null }
        : { name: `./${values.id ?? ""}`, chart: workflow })
  return { type: "WorkflowAgent", ...others, target, location, fieldAt }
}
