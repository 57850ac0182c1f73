import { compile } from "agent-statecharts"

export const chartOf = (config) => {
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(JSON.stringify(diagnostics, null, 2))
  return chart
}

export const side = (id, agents) => ({
  type: "ParallelAgent",
  id,
  subAgents: agents.map((agent) => ({ agentId: agent.id })),
})
