import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { EmittedEvent, RunBoundaryEvent, Usage } from "../../machines/contract/run-event.js"
import { policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import { addUsage, noUsage } from "../driver/outcome.js"

/**
 * Returns the number of calls and tokens of each model. The key is the name of the model, or the
 * URL if the agent has an endpoint. Models of routes and fallbacks have their own entries. The key
 * of a runner's default model is an empty string.
 */
export function usageByModel(
  events: Iterable<EmittedEvent | RunBoundaryEvent>,
  chart: Pick<AgentChart, "agents" | "charts">,
): Readonly<Record<string, Usage>> {
  const sums = new Map<string, Usage>()
  for (const event of events) {
    if (event.type !== "model.called" && event.type !== "model.responded") continue
    const name = event.model ?? ownModelOf(event.agent, chart)
    const before = sums.get(name) ?? noUsage
    const after = addUsage(before, event)
    if (after !== before) sums.set(name, after)
  }
  return Object.fromEntries(sums)
}

function ownModelOf(
  agent: string,
  { agents, charts }: Pick<AgentChart, "agents" | "charts">,
): string {
  const all = [agents, ...Object.values(charts ?? {}).map((inner) => inner.agents)]
  const definition = all.find((each) => Object.hasOwn(each, agent))?.[agent]
  return definition?.type === "LlmAgent" ? (policyModelNamesOf(definition)[0] ?? "") : ""
}
