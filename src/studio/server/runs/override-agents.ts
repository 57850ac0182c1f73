import { fingerprintOf } from "../../../compiler/4-emit/emit-chart.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../../machines/contract/agent-definition.js"
import { HttpError } from "../../../serving/http-error.js"
import type { AgentOverrides, OverridableAgent } from "../../api.js"

type LlmAgent = Extract<AgentDefinition, { readonly type: "LlmAgent" }>

/** Returns the LlmAgents of a chart with the settings that a run can override. */
export const overridableAgents = ({ agents }: AgentChart): readonly OverridableAgent[] =>
  Object.entries(agents).flatMap(([id, agent]) =>
    agent.type === "LlmAgent" ? [{ id, ...settingsOf(agent) }] : [],
  )

function settingsOf({ model, instructions, adk }: LlmAgent): Omit<OverridableAgent, "id"> {
  const temperature = adk?.generateContentConfig?.["temperature"]
  return {
    // The endpoint of an agent with a URL selects the model.
    ...(model !== null && { model }),
    // A host function can compute the instruction.
    ...(adk?.instructionService === undefined && {
      instruction: (adk === undefined ? instructions : adk.instruction) ?? "",
    }),
    ...(adk !== undefined && { temperature: typeof temperature === "number" ? temperature : null }),
  }
}

/**
 * Returns a copy of a chart in which some agents have another model, temperature or instruction.
 * The journal stores this copy with the run, so that the run can be replayed.
 *
 * @throws HttpError `input_refused` if an agent does not exist or does not have the setting
 */
export function overrideAgents(chart: AgentChart, overrides: AgentOverrides): AgentChart {
  if (Object.keys(overrides).length === 0) return chart
  const settings = new Map(overridableAgents(chart).map((agent) => [agent.id, agent]))
  const agents = { ...chart.agents }
  for (const [id, changes] of Object.entries(overrides)) {
    const agent = agents[id]
    const known = settings.get(id)
    const wrong = Object.keys(changes).find(
      (name) => known === undefined || !Object.hasOwn(known, name),
    )
    if (agent?.type !== "LlmAgent" || wrong !== undefined)
      throw new HttpError(400, {
        code: "input_refused",
        message:
          wrong === undefined
            ? `the workflow has no LlmAgent "${id}", so its settings cannot be overridden`
            : `the ${wrong} of agent "${id}" cannot be overridden`,
      })
    agents[id] = withChanges(agent, changes)
  }
  const { fingerprint: _fingerprint, ...fields } = { ...chart, agents }
  return { ...fields, fingerprint: fingerprintOf(fields) }
}

function withChanges(
  agent: LlmAgent,
  { model, instruction, temperature }: AgentOverrides[string],
): LlmAgent {
  const { adk } = agent
  return {
    ...agent,
    ...(model !== undefined && { model }),
    ...(instruction !== undefined && adk === undefined && { instructions: instruction }),
    ...(adk !== undefined && {
      adk: {
        ...adk,
        ...(instruction !== undefined && { instruction }),
        ...(temperature !== undefined && {
          generateContentConfig: { ...adk.generateContentConfig, temperature },
        }),
      },
    }),
  }
}
