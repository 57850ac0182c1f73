import type { WorkflowTree } from "../2-resolve/agent-node.js"
import { outputKeyOf } from "./node-facts.js"

/** What is written under a key of the state, over all agents and tools that write it. */
export interface WrittenKey {
  readonly text: boolean
  /** Objects of tools, answers of people. */
  readonly other: boolean
}

export function keyWriters({ agents, tools }: WorkflowTree): ReadonlyMap<string, WrittenKey> {
  const written = new Map<string, WrittenKey>()
  const add = (key: string | null, isText: boolean) => {
    if (key === null) return
    const before = written.get(key) ?? { text: false, other: false }
    written.set(key, { text: before.text || isText, other: before.other || !isText })
  }
  for (const agent of agents.values()) add(outputKeyOf(agent), agent.type !== "HumanAgent")
  for (const tool of tools.values()) add(outputKeyOf(tool), tool.type === "AgentTool")
  return written
}
