import type { llmAgent } from "../../../agent-types/llm-agent.js"
import { report } from "../../../diagnostics/config-location.js"
import type { ReadDescribed } from "../../fields/described-table.js"

/**
 * Reports an error for an agent that has both an output schema and tools or sub-agents, unless its
 * config allows this (docs/semantics.md#output-schemas). ADK has the same rule.
 */
export function refuseSchemaBesideTools({
  values,
  locationOf,
  has,
}: ReadDescribed<typeof llmAgent.fields>): void {
  if (!has("outputSchema") || values.structuredOutputWithTools === true) return
  const { naming } = locationOf("outputSchema").parser
  const beside = (["tools", "subAgents"] as const)
    .filter((field) => (values[field]?.length ?? 0) > 0)
    .map((field) => `"${naming.name(field)}"`)
  if (beside.length === 0) return
  report(locationOf("outputSchema"), {
    code: "schema_beside_tools",
    problem: `cannot be combined with ${beside.join(" and ")}: an agent with an output schema cannot call tools or hand off`,
    fix: `Remove one of these fields, or add "${naming.name("structuredOutputWithTools")}": true. With this setting, the model has one attempt to correct an answer that does not match the schema.`,
    part: "key",
  })
}
