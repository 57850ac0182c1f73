import { fingerprintOf } from "../compiler/4-emit/emit-chart.js"
import { AgentStatechartsError } from "../errors.js"
import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../machines/contract/agent-definition.js"

/** Returns the instructions of the LlmAgents in a chart, by agent id. */
export const instructionsOf = ({ agents }: AgentChart): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(agents).flatMap(([id, agent]) => {
      const text = agent.type === "LlmAgent" ? instructionOf(agent) : null
      return text === null ? [] : [[id, text] as const]
    }),
  )

/**
 * Returns a copy of a chart in which agents have other instructions. `instructions` contains the
 * new texts by agent id.
 *
 * @throws AgentStatechartsError `input_refused` if an agent has no instruction in the chart
 */
export function overrideInstructions(
  chart: AgentChart,
  instructions: Readonly<Record<string, string>>,
): AgentChart {
  const known = instructionsOf(chart)
  const unknown = Object.keys(instructions).find((id) => !known.has(id))
  if (unknown !== undefined)
    throw new AgentStatechartsError(
      "input_refused",
      `the agent "${unknown}" has no instruction that can be changed. Agents with an instruction are ${[...known.keys()].join(", ")}`,
    )
  const { fingerprint: _fingerprint, ...others } = chart
  const agents = Object.fromEntries(
    Object.entries(chart.agents).map(([id, agent]) => {
      const text = instructions[id]
      return [id, text === undefined || agent.type !== "LlmAgent" ? agent : withText(agent, text)]
    }),
  )
  const changed = { ...others, agents }
  return { ...changed, fingerprint: fingerprintOf(changed) }
}

type LlmAgent = Extract<AgentDefinition, { readonly type: "LlmAgent" }>

/**
 * Returns the instruction text of an agent. Returns null if the agent has no instruction, or if a
 * function provides it at run time.
 */
const instructionOf = ({ adk, instructions }: LlmAgent): string | null =>
  adk === undefined ? instructions : adk.instructionService === undefined ? adk.instruction : null

const withText = (agent: LlmAgent, text: string): LlmAgent =>
  agent.adk === undefined
    ? { ...agent, instructions: text }
    : { ...agent, adk: { ...agent.adk, instruction: text } }
