import { report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { outputKeyOf } from "./node-facts.js"

/** Names of state keys that are so general that several agents could use them by accident. */
const vague: ReadonlySet<string> = new Set([
  "data",
  "result",
  "results",
  "output",
  "outputs",
  "value",
  "values",
  "response",
  "responses",
  "text",
  "content",
  "message",
  "info",
  "stuff",
  "thing",
  "tmp",
  "temp",
  "var",
  "foo",
  "bar",
])

/**
 * Reports a warning for each state key with a vague name, because two agents that use the same key
 * overwrite each other's values.
 */
export function warnOfVagueKeys({ workflow, agents, tools }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) warn(outputKeyOf(agent), agents.get(agent.id))
  for (const tool of workflow.tools.values()) warn(outputKeyOf(tool), tools.get(tool.id))
}

function warn(
  key: string | null,
  config: ReturnType<ResolvedWorkflow["agents" | "tools"]["get"]>,
): void {
  if (key === null || config === undefined || !vague.has(key.toLowerCase())) return
  report(config.fieldAt("outputKey"), {
    code: "vague_output_key",
    severity: "warning",
    problem: `is ${describeValue(key)}, which does not describe the value`,
    fix: `Choose a name that describes the value, such as "draft_email".`,
  })
}
