import type { EmittedEvent, RunBoundaryEvent, Usage } from "../../machines/contract/run-event.js"
import { addUsage, noUsage } from "../driver/outcome.js"

/**
 * Returns the number of calls and tokens of each agent, by agent name. `events` may contain the
 * events of several runs.
 */
export function usageByAgent(
  events: Iterable<EmittedEvent | RunBoundaryEvent>,
): Readonly<Record<string, Usage>> {
  const sums = new Map<string, Usage>()
  for (const event of events) {
    if (event.type === "run.started" || event.type === "run.finished") continue
    const before = sums.get(event.agent) ?? noUsage
    const after = addUsage(before, event)
    if (after !== before) sums.set(event.agent, after)
  }
  return Object.fromEntries(sums)
}
