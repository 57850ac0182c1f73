import { guardrailServices } from "../../machines/contract/guardrails/guardrails.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { Setting } from "./setting.js"
import { declarationOf } from "./setting.js"

/**
 * Returns the session state keys that a state can write, including the agents, machines and
 * functions that it invokes or calls. Only keys that the policy or a condition reads are included.
 */
export function keysWrittenBelow(state: ChartState, setting: Setting): readonly string[] {
  if (setting.keys.size === 0) return []
  const { chart } = setting
  const written = new Set<string>([...setting.keys].filter((key) => systemKeys.has(key)))
  const seenMachines = new Set<string>()
  const seenAgents = new Set<string>()

  const visitFunction = (service: string): void => {
    const declared = declarationOf(setting, service)
    for (const key of declared?.mayWrite ?? setting.keys) written.add(key)
  }
  const visitMachine = (key: string): void => {
    if (seenMachines.has(key)) return
    seenMachines.add(key)
    const machine = Object.hasOwn(chart.machines, key) ? chart.machines[key] : undefined
    for (const inner of Object.values(machine?.states ?? {})) visit(inner)
  }
  const visitAgent = (agent: string): void => {
    if (seenAgents.has(agent)) return
    seenAgents.add(agent)
    const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
    if (definition?.outputKey != null) written.add(definition.outputKey)
    if (definition?.type !== "LlmAgent") return
    const {
      hooks = {},
      policies = [],
      instructionService,
      globalInstructionService,
    } = definition.adk ?? {}
    for (const uses of Object.values(hooks))
      for (const use of uses ?? []) visitFunction(serviceOfHook(use))
    for (const name of [
      ...policies,
      ...guardrailServices(definition.guardrails),
      instructionService,
      globalInstructionService,
    ])
      if (name !== undefined) visitFunction(name)
    for (const id of [...definition.tools, ...(definition.toolsets ?? [])]) {
      const tool = chart.tools[id]
      if (tool === undefined) continue
      if ("outputKey" in tool && tool.outputKey !== null) written.add(tool.outputKey)
      if ("service" in tool) visitFunction(tool.service)
      if (tool.type === "AgentTool") visitMachine(tool.machine)
    }
  }
  /**
   * Visits the agents, machines and functions in the input of an invoked actor, to collect the keys
   * that they write.
   */
  const visitInput = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visitInput)
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        if (typeof inner !== "string") visitInput(inner)
        else if (name === "agent" || name === "id") visitAgent(inner)
        else if (name === "src") visitMachine(inner)
        else if (name === "service") visitFunction(inner)
      }
  }
  const visit = ({ meta, invoke, states }: ChartState): void => {
    if (meta?.outputKey !== undefined) written.add(meta.outputKey)
    if (meta !== undefined) visitAgent(meta.agent)
    if (invoke !== undefined) {
      visitMachine(invoke.src)
      visitInput(invoke.input)
    }
    for (const inner of Object.values(states ?? {})) visit(inner)
  }
  visit(state)
  return [...written].filter((key) => setting.keys.has(key))
}

/**
 * Returns the session state keys that a machine of the chart can write. Only keys that the policy
 * or a condition reads are included.
 */
export const keysWrittenByMachine = (machine: string, setting: Setting): readonly string[] =>
  keysWrittenBelow({ invoke: { id: "", src: machine, input: {}, onDone: [] } }, setting)
