import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { transferTool } from "../../machines/model-call/built-in-tools.js"
import { countedMeasures } from "../bounds/bounds.js"
import { chartFacts, plansOf } from "../plan/chart-facts.js"
import type { TextChoice } from "./choose-texts.js"
import { chooseTexts } from "./choose-texts.js"
import type { TurnVariant } from "../bounds/model-assumptions.js"
import { callableTools, defaultAssumptions } from "../bounds/model-assumptions.js"
import type { Counting } from "../bounds/count.js"
import { largestVariant, startCounting, walkOf } from "../bounds/count.js"
import type { GroupPlan, Plan, PlanChild, TeamPlan } from "../plan/plan.js"
import { requiredProperties, sampleFromSchema } from "./schema-sample.js"

export interface WorstCaseOptions {
  /**
   * Assumed maximum number of model responses with tool calls in one turn of an agent. Use the same
   * value as for `analyzeChart`. Default: 1.
   */
  readonly toolRounds?: number
  /**
   * The quantity that the scripted run makes as high as possible. `humanWaits` is the number of
   * requests to people. Default: `modelCalls`.
   */
  readonly most?: "modelCalls" | "toolRounds" | "humanWaits"
  /**
   * Whether to consider only the first invocation of a session, which starts with the root agent.
   * In an adk session, a later invocation may start with another agent of the root's handoff team.
   * This invocation may make more calls. Default: false.
   */
  readonly firstInvocation?: boolean
}

/**
 * Scripted responses of models, tools and people for a run that reaches an upper bound of
 * `analyzeChart`.
 */
export interface WorstCase {
  /**
   * Responses of each agent's model, by agent id, and of each tool, by tool id. They are in order.
   * Pass them to the scripted services.
   */
  readonly llm: Readonly<Record<string, readonly JsonObject[]>>
  readonly tools: Readonly<Record<string, readonly JsonObject[]>>
  /**
   * Values to add to the chart's initial state, so that `when` conditions are true and loops
   * continue.
   */
  readonly state: JsonObject
  /**
   * Answers of people, in the order of the requests. Requests of parallel branches may occur in a
   * different order.
   */
  readonly answers: readonly ({ readonly answer: string } | { readonly approve: true })[]
  /**
   * The agent of the root's handoff team that must be active in the session before the run. null
   * means that the run starts with the root agent.
   */
  readonly activeAgent: string | null
}

/**
 * Maximum number of scripted responses. A real run reaches one of its own limits with fewer
 * responses.
 */
const maxAnswers = 20_000

/**
 * Creates a script with which a run reaches an upper bound of `analyzeChart`. Use the script to
 * verify the bound in a real run. Host functions (functions that you register) are not scripted. If
 * `worstCase` finds no output texts that satisfy all conditions of the chart, the run may not reach
 * the bound.
 */
export function worstCase(
  chart: AgentChart,
  { toolRounds = 1, most = "modelCalls", firstInvocation = false }: WorstCaseOptions = {},
): WorstCase {
  const counting = startCounting(
    plansOf(chart, chartFacts(chart)),
    defaultAssumptions(chart, toolRounds),
    countedMeasures[most],
  )
  const root = counting.plans.byMachine.get(chart.root) ?? null
  const script: Script = {
    chart,
    counting,
    texts: chooseTexts(chart, counting.plans),
    llm: new Map(),
    answers: [],
    tools: new Map(),
    written: 0,
    walks: new Map(),
    firstInvocation,
    activeAgent: null,
  }
  if (root !== null) writeChild(root, script)
  const { llm, tools, answers, texts } = script
  return {
    llm: Object.fromEntries(llm),
    tools: Object.fromEntries(tools),
    state: texts.state,
    answers,
    activeAgent: script.activeAgent,
  }
}

interface Script {
  readonly chart: AgentChart
  readonly counting: Counting
  readonly texts: TextChoice
  readonly llm: Map<string, JsonObject[]>
  readonly tools: Map<string, JsonObject[]>
  readonly answers: WorstCase["answers"][number][]
  /**
   * Number of responses written so far. It limits the length of the script if a loop is endless.
   */
  written: number
  /**
   * For each handoff team, the most expensive order in which its members can be active. The order
   * is stored, because a team in a loop runs several times.
   */
  readonly walks: Map<TeamPlan, ReturnType<typeof walkOf>>
  readonly firstInvocation: boolean
  activeAgent: string | null
}

function writeChild(child: PlanChild, script: Script): void {
  for (let time = 0; time < child.times; time++)
    if (!writesMore(script, () => writePlan(child.plan, null, script))) return
}

/**
 * Calls `write`, which adds scripted responses. Returns whether responses were added and the script
 * is still shorter than its maximum length.
 */
function writesMore(script: Script, write: () => void): boolean {
  const before = script.written
  if (before < maxAnswers) write()
  return script.written > before && script.written < maxAnswers
}

function writePlan(plan: Plan, handsOffTo: string | null, script: Script): void {
  switch (plan.type) {
    case "code":
    case "wait":
    // The script of a called workflow depends on the answers of its own agents.
    case "call":
      return
    case "human":
      script.answers.push({ answer: script.texts.of(plan.agent) })
      script.written++
      return
    case "turn":
      return writeTurn(plan.agent, handsOffTo, script)
    case "machine": {
      const inner = script.counting.plans.byMachine.get(plan.machine) ?? null
      if (inner !== null) writeChild(inner, script)
      return
    }
    case "group":
      return writeGroup(plan, script)
    case "team":
      return writeTeam(plan, script)
  }
}

function writeGroup({ times, children }: GroupPlan, script: Script): void {
  for (let time = 0; time < times; time++)
    if (!writesMore(script, () => children.forEach((child) => writeChild(child, script)))) return
}

function writeTeam(team: TeamPlan, script: Script): void {
  const starts = script.firstInvocation ? team.starts.slice(0, 1) : team.starts
  const walk = script.walks.get(team) ?? walkOf({ ...team, starts }, script.counting)
  script.walks.set(team, walk)
  const start = walk.cycles?.[0]?.[0]
  // Only the team at the root of an adk workflow can start with different members.
  if (start !== undefined && start !== starts[0])
    script.activeAgent = team.members[start]?.plan.agent ?? null
  for (const cycle of walk.cycles ?? []) {
    for (const [step, index] of cycle.entries()) {
      const next = cycle[step + 1]
      const member = team.members[index]
      if (member !== undefined)
        writePlan(
          member.plan,
          next === undefined ? null : (team.members[next]?.plan.agent ?? null),
          script,
        )
    }
  }
}

function writeTurn(agent: string, handsOffTo: string | null, script: Script): void {
  const { chart, counting, llm } = script
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  const variant = largestVariant(agent, counting)?.variant
  if (definition?.type !== "LlmAgent" || variant === undefined) return
  const schema = definition.adk?.outputSchema ?? null
  const text = schema === null ? script.texts.of(agent) : JSON.stringify(sampleFromSchema(schema))
  const rounds = variant.toolRounds
  for (let round = 1; round <= rounds; round++) {
    const toolCalls = callsOf(agent, variant, round, script)
    // The tool names of a toolset are only known at run time.
    if (toolCalls.length > 0) add(llm, agent, { content: null, toolCalls })
  }
  const isEnded = variant.modelCalls <= rounds
  if (!isEnded) {
    if (variant.modelCalls > rounds + 1)
      add(llm, agent, { content: "This is not what the schema asks for." })
    add(
      llm,
      agent,
      handsOffTo === null
        ? { content: text }
        : {
            content: null,
            toolCalls: [{ function_name: transferTool, function_args: { agent_name: handsOffTo } }],
          },
    )
  }
  script.written += variant.modelCalls
}

function add(scripts: Map<string, JsonObject[]>, id: string, answer: JsonObject): void {
  const known = scripts.get(id)
  if (known === undefined) scripts.set(id, [answer])
  else known.push(answer)
}

/**
 * Returns the tool calls of one scripted model response, with one call of every tool. A tool that
 * ends the turn is only called in the last round. For each AgentTool, also adds the responses of
 * its agent to the script.
 */
function callsOf(agent: string, variant: TurnVariant, round: number, script: Script): JsonObject[] {
  const { chart } = script
  const definition = chart.agents[agent]
  if (definition?.type !== "LlmAgent") return []
  const calls: JsonObject[] = []
  for (const { id, tool } of callableTools(definition, chart)) {
    if (tool.type === "Toolset") continue
    const target = variant.targets.find((one) => one.tool === id)
    const isLeftOut =
      tool.type === "AgentTool" &&
      (target === undefined || (tool.skipSummarization && round < variant.toolRounds))
    if (isLeftOut) continue
    const declared = definition.declarations.find((declaration) => declaration.function.name === id)
    calls.push({
      function_name: id,
      function_args: requiredProperties(declared?.function.parameters ?? {}),
    })
    if (tool.type === "HttpTool") add(script.tools, id, { done: true })
    if ("requireConfirmation" in tool && tool.requireConfirmation === true)
      script.answers.push({ approve: true })
    const inner =
      target === undefined ? null : (script.counting.plans.byMachine.get(target.machine) ?? null)
    if (inner !== null) writeChild(inner, script)
  }
  return calls
}
