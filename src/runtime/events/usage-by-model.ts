import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { EmittedEvent, RunBoundaryEvent, Usage } from "../../machines/contract/run-event.js"
import { policyModelsOf } from "../../machines/model-call/fallback.js"
import { addUsage, noUsage } from "../driver/outcome.js"

/**
 * Returns the number of calls and tokens for each model, by model name or by the URL of an agent's
 * endpoint. The models of routes and fallbacks are counted separately. A runner's default model has
 * the name "".
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
  return definition?.type === "LlmAgent" ? (policyModelsOf(definition)[0] ?? "") : ""
}
