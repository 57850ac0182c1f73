import { mapValues } from "../../machines/data/map-values.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"

/**
 * Returns a copy of a chart that contains only the values that influence how recorded results and
 * answers are processed. Removes texts and models, because only services and people receive them.
 * Removes the initial prompt, because a started run has stored its own prompt. If the copies of two
 * charts are equal, both charts process the records of any open run in the same way.
 */
export function replayedChart({
  workflows: _workflows,
  services: _services,
  ...chart
}: AgentChart): AgentChart {
  return {
    ...chart,
    fingerprint: "",
    // The ids of states and machines are compared together with the machines.
    id: "",
    input: { ...chart.input, prompt: null },
    machines: withoutWarnings(chart.machines) as AgentChart["machines"],
    ...(!textsChooseCalls(chart) && {
      agents: mapValues(chart.agents, replayedAgent),
      tools: mapValues(chart.tools, replayedTool),
    }),
    ...(chart.charts !== undefined && { charts: mapValues(chart.charts, replayedChart) }),
  }
}

/**
 * Returns true if texts or models can influence which calls a run makes. This is the case if an
 * agent has `compaction`, which depends on the length of texts, or `fallback` or `routes`, which
 * refer to other models.
 */
const textsChooseCalls = ({ agents }: Pick<AgentChart, "agents">): boolean =>
  Object.values(agents).some(
    (agent) =>
      agent.type === "LlmAgent" &&
      (agent.compaction ?? agent.fallback ?? agent.routes) !== undefined,
  )

function replayedAgent(agent: AgentDefinition): AgentDefinition {
  switch (agent.type) {
    case "LlmAgent": {
      const { adk, declarations, model, endpoint, instructions, handoffText } = agent
      return {
        ...agent,
        description: null,
        model: model === null ? null : "",
        endpoint: endpointOf(endpoint),
        instructions: placeholders(instructions),
        handoffText: handoffText === null ? null : "",
        declarations: declarations.map((declaration) => ({
          ...declaration,
          function: { ...declaration.function, description: "" },
        })),
        ...(adk !== undefined && {
          adk: {
            ...adk,
            instruction: placeholders(adk.instruction),
            staticInstruction: adk.staticInstruction === null ? null : "",
            globalInstruction: placeholders(adk.globalInstruction),
            generateContentConfig: null,
          },
        }),
      }
    }
    case "WaitAgent":
      return { ...agent, description: null }
    case "HumanAgent":
    case "WorkflowAgent":
      return { ...agent, description: null, prompt: placeholders(agent.prompt) }
  }
}

const replayedTool = (tool: ToolDefinition): ToolDefinition =>
  tool.type === "HttpTool" ? { ...tool, endpoint: { url: "", method: "" } } : tool

const endpointOf = (endpoint: HttpEndpoint | null): HttpEndpoint | null =>
  endpoint === null ? null : { url: "", method: "" }

/**
 * Returns the placeholders and the unpaired braces of a text, one per line. If they are equal in
 * two charts, a change of the text does not change how records are processed. A placeholder without
 * a value can end a call before it is made.
 */
const placeholders = (text: string | null): string | null =>
  text === null ? null : (text.match(/\{[^{}]*\}|[{}]/g) ?? []).join("\n")

/**
 * Removes the warnings about skipped agents from machine configs, so that the comparison of two
 * charts ignores them. Such a warning is only emitted when an agent ends the run. It only contains
 * the names of the agents after this agent, so it does not influence how records are processed.
 */
function withoutWarnings(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isWarning(item)).map(withoutWarnings)
  return isJsonObject(value) ? mapValues(value, withoutWarnings) : value
}

const isWarning = (item: unknown): boolean => isJsonObject(item) && item["type"] === "warnSkipped"
