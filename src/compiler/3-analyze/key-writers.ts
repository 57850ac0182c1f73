import type { AgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { outputKeyOf } from "./node-facts.js"

/** Whether agents and tools write texts, other values or both to a state key. */
export interface WrittenKey {
  readonly text: boolean
  /**
   * Whether the key receives values that are not texts of agents, such as tool results and human
   * answers.
   */
  readonly other: boolean
}

export function keyWriters({ agents, tools }: WorkflowTree): ReadonlyMap<string, WrittenKey> {
  const written = new Map<string, WrittenKey>()
  const add = (key: string | null, isText: boolean) => {
    if (key === null) return
    const before = written.get(key) ?? { text: false, other: false }
    written.set(key, { text: before.text || isText, other: before.other || !isText })
  }
  for (const agent of agents.values()) add(outputKeyOf(agent), writesText(agent))
  for (const agent of agents.values()) {
    if (agent.type !== "ParallelAgent" || agent.forEach === null) continue
    const { as, collect } = agent.forEach
    for (const key of [as, `${as}_index`, ...Object.keys(collect)]) add(key, false)
  }
  for (const tool of tools.values()) add(outputKeyOf(tool), tool.type === "AgentTool")
  return written
}

const writesText = (agent: AgentNode): boolean =>
  agent.type !== "HumanAgent" && (agent.type !== "WorkflowAgent" || agent.output === "text")
