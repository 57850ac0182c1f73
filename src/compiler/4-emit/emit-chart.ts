import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartMachine } from "../../machines/contract/chart-machine.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import { fingerprintText } from "../../machines/contract/fingerprint-text.js"
import { summarizerOf } from "../../machines/contract/compaction.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { AgentNode, LlmAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { subAgentsOf } from "../2-resolve/agent-node.js"
import { agentDefinition, toolDefinition } from "./declarations.js"
import { checkerDefinitions } from "./guardrails.js"
import { servicesOf } from "./services.js"
import { emitAgent } from "./emit-agent.js"
import { summarizerDefinition } from "./summarizer.js"
import { rootTeamOf } from "./model-by-name.js"
import { emitMachine } from "./emit-machine.js"
import type { BranchCondition, EmitOptions } from "./state-position.js"
import { KeyRing } from "./state-keys.js"

/**
 * Generates the statechart of a resolved workflow. The output is deterministic: the same workflow
 * produces the same chart, byte for byte.
 */
export function emitChart(workflow: WorkflowTree, options: EmitOptions): AgentChart {
  const keys = new KeyRing()
  const machines: Record<string, ChartMachine> = {}
  const targets = new Map<string, string>()
  const regionCounts = new Map<AgentNode, number>()

  const add = (
    agent: AgentNode,
    name: string,
    top: boolean,
    when: BranchCondition | null,
    skips: readonly string[],
  ): string => {
    const key = keys.next(name)
    const subMachine = (
      inner: AgentNode,
      place: string,
      innerWhen: BranchCondition | null,
      innerSkips: readonly string[],
    ): string => add(inner, `${key}_${place}`, false, innerWhen, innerSkips)
    machines[key] = {
      id: key,
      initial: "boot",
      meta: { kind: "orchestration", agent: agent.id },
      states: {},
    }
    const draft = { key, workflow, options, emitAgent, subMachine, finals: new Map(), regionCounts }
    machines[key] = emitMachine(agent, { draft, isRoot: top, when, skips })
    return key
  }
  const machineOf = (target: AgentNode): string => {
    const known = targets.get(target.id)
    if (known !== undefined) return known
    const key = add(target, `tool_${target.id}`, false, null, [])
    targets.set(target.id, key)
    return key
  }

  // In the adk dialect, the root agent of a workflow in a graph does not wait for further messages
  // of the user.
  const isTop = workflow.node === null || workflow.dialect !== "adk"
  const root = add(workflow.root, workflow.root.id, isTop, null, [])
  const agents: Record<string, AgentDefinition> = {}
  const tools: Record<string, ToolDefinition> = {}
  const emitDefinitions = (agent: AgentNode): void => {
    if (Object.hasOwn(agents, agent.id)) return
    const definition = agentDefinition(agent, parents.get(agent.id) ?? null, workflow, rootTeam)
    if (definition === null) return
    agents[agent.id] = definition
    if (agent.type !== "LlmAgent") return
    const summarizer = summarizerDefinition(agent)
    if (summarizer !== null) agents[summarizerOf(agent.id)] = summarizer
    for (const [id, checker] of checkerDefinitions(agent)) agents[id] = checker
    for (const id of agent.tools) {
      const tool = workflow.tools.get(id)
      if (tool === undefined || Object.hasOwn(tools, id)) continue
      tools[id] = toolDefinition(tool, machineOf)
      if (tool.type === "AgentTool")
        for (const inner of agentsBelow(tool.target)) emitDefinitions(inner)
    }
  }
  const parents = parentsOf(workflow)
  const rootTeam = rootTeamOf(workflow)
  for (const agent of agentsBelow(workflow.root)) emitDefinitions(agent)

  const { subAgentExitFlow: _compiledIn, maxDuration, budget, ...limits } = workflow.settings
  const settings = {
    ...limits,
    ...withoutNulls({ maxDurationMs: maxDuration, budget }),
  }
  const services = servicesOf(workflow)
  const workflows = calledCharts(workflow)
  const chart = {
    formatVersion: 1 as const,
    id: workflow.id,
    dialect: workflow.dialect,
    root,
    machines,
    agents,
    tools,
    settings,
    ...withoutNulls({ services: Object.keys(services).length === 0 ? null : services }),
    input: workflow.input,
    context: workflow.context,
    ...withoutNulls({ node: workflow.node, workflows }),
  }
  return { ...chart, fingerprint: fingerprintOf(chart) }
}

/**
 * Returns the charts of the workflows that agents call by file, by the name that the agents use.
 * Returns null if no agent calls a workflow by file.
 */
function calledCharts({ agents }: WorkflowTree): Readonly<Record<string, AgentChart>> | null {
  const charts = Object.fromEntries(
    [...agents.values()].flatMap((agent) =>
      agent.type === "WorkflowAgent" && agent.target.chart !== null
        ? [[agent.target.name, agent.target.chart]]
        : [],
    ),
  )
  return Object.keys(charts).length === 0 ? null : charts
}

/** Returns the fingerprint of a chart, which is a SHA-256 hash of all its other fields. */
export const fingerprintOf = (chart: Omit<AgentChart, "fingerprint">): string =>
  bytesToHex(sha256(utf8ToBytes(fingerprintText(chart))))

/** Returns an agent and every agent below it, without duplicates, in depth-first order. */
function agentsBelow(root: AgentNode): readonly AgentNode[] {
  const seen = new Set<AgentNode>()
  const visit = (agent: AgentNode): void => {
    if (seen.has(agent)) return
    seen.add(agent)
    subAgentsOf(agent).forEach(visit)
  }
  visit(root)
  return [...seen]
}

/**
 * Maps the id of each handoff target to its parent. The parent is the LlmAgent that has the target
 * as a sub-agent and can hand off to it.
 */
function parentsOf(workflow: WorkflowTree): ReadonlyMap<string, LlmAgentNode> {
  const parents = new Map<string, LlmAgentNode>()
  for (const agent of workflow.agents.values()) {
    if (agent.type === "LlmAgent") for (const child of agent.subAgents) parents.set(child.id, agent)
  }
  return parents
}
