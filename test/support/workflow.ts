import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"

type Fields = Readonly<Record<string, unknown>>

const at = (id: string): Fields => ({
  httpConfig: { url: `http://agents.test/${id}`, method: "POST" },
})

export const llm = (id: string, fields: Fields = {}): Fields => ({
  type: "LlmAgent",
  id,
  outputKey: `${id}_text`,
  ...at(id),
  ...fields,
})

export const human = (id: string, fields: Fields = {}): Fields => ({
  type: "HumanAgent",
  id,
  outputKey: `${id}_answer`,
  prompt: `${id}?`,
  ...fields,
})

const references = (ids: readonly (string | Fields)[]): readonly Fields[] =>
  ids.map((id) => (typeof id === "string" ? { agentId: id } : id))

export const sequence = (
  id: string,
  subAgents: readonly (string | Fields)[],
  fields: Fields = {},
): Fields => ({
  type: "SequentialAgent",
  id,
  subAgents: references(subAgents),
  ...fields,
})

export const parallel = (
  id: string,
  subAgents: readonly (string | Fields)[],
  fields: Fields = {},
): Fields => ({
  type: "ParallelAgent",
  id,
  subAgents: references(subAgents),
  ...fields,
})

export const loop = (
  id: string,
  subAgents: readonly (string | Fields)[],
  max: number,
  fields: Fields = {},
): Fields => ({
  type: "LoopAgent",
  id,
  subAgents: references(subAgents),
  maxAgentLoopIterations: max,
  ...fields,
})

export const httpTool = (id: string, fields: Fields = {}): Fields => ({
  type: "HttpTool",
  id,
  ...at(id),
  ...fields,
})

export const agentTool = (id: string, targetAgentId: string, fields: Fields = {}): Fields => ({
  type: "AgentTool",
  id,
  targetAgentId,
  ...fields,
})

/** Compiles a workflow whose root is the first agent. */
export function chartOf(agents: readonly Fields[], fields: Fields = {}): AgentChart {
  const config = { rootAgentId: agents[0]?.["id"], agents, initialUserInput: "go", ...fields }
  const { chart, diagnostics } = compile(config)
  if (chart === null)
    throw new Error(diagnostics.map(({ message, fix }) => `${message} ${fix}`).join("\n"))
  return chart
}
