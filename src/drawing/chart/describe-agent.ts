import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Compaction } from "../../machines/contract/compaction.js"
import type { Guardrail, Guardrails } from "../../machines/contract/guardrails/guardrails.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { ChartState, StateMeta } from "../../machines/contract/chart-machine.js"
import type { PictureState } from "../picture/picture.js"
import { withoutTemplates } from "./task-level.js"

type Description = Pick<PictureState, "look" | "title" | "lines" | "agent">

/**
 * Returns the title and the text lines of an agent that is drawn as a single state. The title is
 * the agent id. The lines describe the agent's properties, for example `writes summary`.
 */
export function describeAgent(id: string, chart: AgentChart): Description {
  const agent = chart.agents[id]
  if (agent === undefined) return { look: "LlmAgent", title: id, lines: [], agent: id }
  const writes = agent.outputKey === null ? [] : [`writes ${agent.outputKey}`]
  switch (agent.type) {
    case "LlmAgent": {
      const isAsked = (tool: string): boolean => chart.tools[tool]?.type === "AgentTool"
      const list = (verb: string, ids: readonly string[]): readonly string[] =>
        ids.length === 0 ? [] : [`${verb} ${ids.join(", ")}`]
      const kind = agent.model === null ? "LLM" : `LLM, ${agent.model}`
      const routes = (agent.routes ?? []).map(
        ({ when, model }) => `calls ${withoutTemplates(model)} if ${shortened(when)}`,
      )
      const falls = list(
        "falls back to",
        (agent.fallback ?? []).map(({ model }) => withoutTemplates(model)),
      )
      const limits =
        agent.compaction === undefined ? [] : [`summarizes ${summaryText(agent.compaction)}`]
      const caches =
        agent.cacheMs === undefined ? [] : [`caches responses for ${durationText(agent.cacheMs)}`]
      const guards = guardLines(agent.guardrails)
      const loads = agent.memoryService === undefined ? [] : ["loads memories"]
      const calls = list(
        "calls",
        agent.tools.filter((tool) => !isAsked(tool)),
      )
      const asks = list("asks", agent.tools.filter(isAsked))
      const draws = list("tools of", agent.toolsets ?? [])
      return {
        look: "LlmAgent",
        title: id,
        lines: [
          kind,
          ...routes,
          ...falls,
          ...caches,
          ...limits,
          ...loads,
          ...guards,
          ...calls,
          ...asks,
          ...draws,
          ...writes,
        ],
        agent: id,
      }
    }
    case "HumanAgent": {
      const asks = agent.prompt === null ? [] : [`asks “${agent.prompt}”`]
      const choices = agent.choices === undefined ? [] : [`accepts ${agent.choices.join(", ")}`]
      const lines = ["human", ...asks, ...choices, ...writes]
      return { look: "HumanAgent", title: id, lines, agent: id }
    }
    case "WaitAgent": {
      const { durationMs, until } = agent
      const time = until === undefined ? durationText(durationMs ?? 0) : `until ${until}`
      return { look: "WaitAgent", title: id, lines: [`waits ${time}`], agent: id }
    }
    case "WorkflowAgent": {
      const called =
        agent.remote === undefined
          ? `calls workflow ${agent.workflow}`
          : `calls remote agent ${withoutTemplates(agent.workflow)}`
      const lines = [called, ...writes]
      return { look: "WorkflowAgent", title: id, lines, agent: id }
    }
  }
}

/**
 * Returns text lines about the guardrails of an agent, for example `checks input with pii (fail)`.
 * There are separate lines for the guardrails before the model call, during the call, and on the
 * output.
 */
function guardLines(guardrails: Guardrails | undefined): readonly string[] {
  if (guardrails === undefined) return []
  const { before, beside, output } = guardrails
  const list = (words: string, guards: readonly Guardrail[]): readonly string[] =>
    guards.length === 0
      ? []
      : [
          `checks ${words} with ${guards.map(({ name, onTrip }) => `${name} (${onTrip})`).join(", ")}`,
        ]
  return [
    ...list("input", before),
    ...list("input beside the call", beside),
    ...list("output", output),
  ]
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const

/** Formats a duration in the largest unit that divides it without remainder, for example `36 h`. */
function durationText(ms: number): string {
  const [unit, length] = units.find(([, one]) => ms % one === 0) ?? ["ms", 1]
  return `${ms / length} ${unit}`
}

const drawnAsOneState: ReadonlySet<string> = new Set([
  "LlmAgent",
  "HumanAgent",
  "WorkflowAgent",
  "WaitAgent",
])

/** Returns the display name of an agent kind, for example `sequence` for a SequentialAgent. */
export const kindName = (kind: StateMeta["kind"]): string => kindWords({ kind })

/**
 * Returns the title, the text lines and the agent id of a state in the drawing. The title of a
 * container also contains its properties, because its agents are drawn below the title.
 */
export function describeState(
  path: string,
  state: ChartState,
  chart: AgentChart,
): Description & Pick<PictureState, "regions"> {
  const { meta } = state
  if (meta === undefined)
    return { ...describeStep(path.slice(path.lastIndexOf(".") + 1), state), regions: [] }
  if (meta.team !== true && drawnAsOneState.has(meta.kind))
    return { ...describeAgent(meta.agent, chart), regions: [] }
  if (meta.callbacks === true)
    return {
      look: meta.kind,
      title: `${meta.agent} (with callbacks)`,
      lines: [],
      regions: [],
      agent: meta.agent,
    }
  const writes = meta.outputKey === undefined ? [] : [`writes ${meta.outputKey}`]
  const title = `${meta.agent} (${[kindWords(meta), ...policyWords(state, meta), ...writes].join(", ")})`
  return {
    look: meta.team === true ? "team" : meta.kind,
    title,
    lines: [],
    regions: [],
    agent: meta.agent,
  }
}

/**
 * Returns the title and the text lines of a state that does not belong to an agent. Such a state is
 * a host function, the idle state between invocations, or a state that a user added to a compiled
 * chart.
 */
function describeStep(title: string, { tags, invoke }: ChartState): Description {
  if (tags?.includes("resting") === true)
    return { look: "resting", title, lines: ["the invocation is over"] }
  return { look: invoke?.src === "hostCode" ? "FunctionNode" : "SequentialAgent", title, lines: [] }
}

function kindWords({ kind, team }: Pick<StateMeta, "kind" | "team">): string {
  if (team === true) return "handoff team"
  switch (kind) {
    case "LlmAgent":
      return "LLM"
    case "HumanAgent":
      return "human"
    case "CustomAgent":
      return "host code"
    case "MachineAgent":
      return "machine"
    case "WorkflowAgent":
      return "workflow"
    case "WaitAgent":
      return "wait"
    case "SequentialAgent":
      return "sequence"
    case "ParallelAgent":
      return "parallel"
    case "LoopAgent":
      return "loop"
    case "Workflow":
      return "graph"
    case "FunctionNode":
      return "host code"
    case "RouterNode":
      return "router"
    case "ToolNode":
      return "tool"
    case "JoinNode":
      return "join"
    case "TaskGraph":
      return "graph"
  }
}

function policyWords({ invoke }: ChartState, { failurePolicy }: StateMeta): readonly string[] {
  const maxConcurrent = invoke?.input["maxConcurrency"]
  const policy = failurePolicy ?? invoke?.input["failurePolicy"]
  const quorum = invoke?.input["quorum"]
  return [
    ...forEachWords(invoke?.input["forEach"]),
    ...(typeof maxConcurrent === "number" ? [`${maxConcurrent} at once`] : []),
    ...(quorum === 1
      ? ["first success"]
      : typeof quorum === "number"
        ? [`quorum of ${quorum}`]
        : []),
    ...(invoke?.input["onEscalate"] === "cancel" ? ["ends when one escalates"] : []),
    ...(policy === "collect"
      ? ["failures collected"]
      : policy === "wait-all"
        ? ["fails when all have ended"]
        : []),
  ]
}

/**
 * Describes the items over which a parallel block iterates, such as
 * `for each document in session_state['docs']`. Returns an empty list if the block does not
 * iterate.
 */
function forEachWords(forEach: unknown): readonly string[] {
  if (!isJsonObject(forEach)) return []
  const { as, items } = forEach
  return typeof as === "string" && typeof items === "string"
    ? [`for each ${as} in ${shortened(items)}`]
    : []
}

/** Maximum number of characters of an expression in the text of a state. */
const maxExpression = 60

const shortened = (expression: string): string => {
  const line = expression.replaceAll(/\s+/g, " ")
  return line.length > maxExpression ? `${line.slice(0, maxExpression - 1)}…` : line
}

/**
 * Describes in words when an agent's conversation is summarized, for example `above 8000 tokens`.
 */
const summaryText = ({ maxTokens, interval }: Compaction): string =>
  [
    ...(maxTokens === undefined ? [] : [`above ${maxTokens} tokens`]),
    ...(interval === undefined ? [] : [`after ${interval} messages of the user`]),
  ].join(" and ")
