import { isJsonObject } from "../../machines/data/json-object.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { HttpEndpoint } from "../../machines/contract/services.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"

/**
 * Returns a chart reduced to the values that influence how recorded results and answers are
 * processed. Omits texts and models, which only services and people receive, and the initial
 * prompt, because a started run has stored its own. If two charts reduce to equal charts, both
 * process the records of any open run in the same way.
 */
export function replayedChart({
  workflows: _workflows,
  services: _services,
  ...chart
}: AgentChart): AgentChart {
  return {
    ...chart,
    fingerprint: "",
    // The ids of states and machines are compared with the machines.
    id: "",
    input: { ...chart.input, prompt: null },
    machines: withoutWarnings(chart.machines) as AgentChart["machines"],
    ...(!textsChooseCalls(chart) && {
      agents: mapped(chart.agents, replayedAgent),
      tools: mapped(chart.tools, replayedTool),
    }),
    ...(chart.charts !== undefined && { charts: mapped(chart.charts, replayedChart) }),
  }
}

/**
 * Returns whether texts or models can determine which calls a run makes. The length of a text
 * determines when a conversation is summarized, and a model can have other models
 * as fallback or in routes.
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
 * Returns the placeholders and the unpaired braces of a text. A placeholder without a value can end
 * a call before it is made, so a changed placeholder can change the calls of a run.
 */
const placeholders = (text: string | null): string | null =>
  text === null ? null : (text.match(/\{[^{}]*\}|[{}]/g) ?? []).join("\n")

/**
 * Removes the warnings about skipped agents from machines. The warnings only name later agents and
 * are only reported when an agent ends the run, so they do not affect how records are processed.
 */
function withoutWarnings(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isWarning(item)).map(withoutWarnings)
  return isJsonObject(value) ? mapped(value, withoutWarnings) : value
}

const isWarning = (item: unknown): boolean => isJsonObject(item) && item["type"] === "warnSkipped"

const mapped = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
