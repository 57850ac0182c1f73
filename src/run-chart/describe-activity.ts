import type { AgentActivity } from "../serving/display/agent-activity.js"

/**
 * Maximum number of agents that the description names for each status, such as `Finished`. Further
 * agents are counted, as in `and 3 more`.
 */
const maxNames = 12

/**
 * Returns a sentence for each status that lists the agents with this status, for example
 * `Active: writer. Finished: researcher.`
 */
export function describeActivity({ active, waiting, finished, failed }: AgentActivity): string {
  const lists = [
    ["Active", [...active].filter((agent) => !waiting.has(agent))],
    ["Waiting for an answer", [...waiting]],
    ["Failed", [...failed].filter((agent) => !active.has(agent))],
    ["Finished", [...finished].filter((agent) => !active.has(agent) && !failed.has(agent))],
  ] as const
  const sentences = lists.flatMap(([name, agents]) =>
    agents.length === 0 ? [] : [`${name}: ${namesOf(agents)}.`],
  )
  return sentences.length === 0 ? "No agent has started." : sentences.join(" ")
}

function namesOf(agents: readonly string[]): string {
  const rest = agents.length - maxNames
  return rest <= 0 ? agents.join(", ") : `${agents.slice(0, maxNames).join(", ")} and ${rest} more`
}
