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
import { costliest, startCounting, walkOf } from "../bounds/count.js"
import type { GroupPlan, Plan, PlanChild, TeamPlan } from "../plan/plan.js"
import { requiredProperties, sampleFromSchema } from "./schema-sample.js"

export interface WorstCaseOptions {
  /** As of `analyzeChart`. Default 1. */
  readonly toolRounds?: number
  /** What there is to be most of. */
  readonly most?: "modelCalls" | "toolRounds" | "humanWaits"
  /** Only the first invocation of a session, which begins with the root. An adk session whose conversation a member of the root's team has may come to more. */
  readonly firstInvocation?: boolean
}

/** A script that drives a run along the way that comes to a bound: what everyone answers, in order. */
export interface WorstCase {
  /** For the scripted service: answers of each agent's model, and of each tool. */
  readonly llm: Readonly<Record<string, readonly JsonObject[]>>
  readonly tools: Readonly<Record<string, readonly JsonObject[]>>
  /** What the run begins with besides the chart's own state, so that conditions let it through. */
  readonly state: JsonObject
  /** What people answer, in the order in which they are asked; side by side they may be asked in another. */
  readonly answers: readonly ({ readonly answer: string } | { readonly approve: true })[]
  /** The member of the root's team that has the conversation in the session that the run goes on with; null: the run begins with the root. */
  readonly activeAgent: string | null
}

/** Answers beyond these are left out: no run has so many before a limit ends it, and a file should end. */
const longest = 20_000

/**
 * Makes a script for the most model calls, tool rounds or human waits that `analyzeChart` names, so that the bound can be seen to be
 * reached. What host code does is not in a script, and a condition that asks for more than a chosen text may keep the run from that way.
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
    ways: new Map(),
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
  /** How much there is so far: a run of an endless loop is not written out. */
  written: number
  /** Teams are asked at many places of a long loop: their ways are looked for once. */
  readonly ways: Map<TeamPlan, ReturnType<typeof walkOf>>
  readonly firstInvocation: boolean
  activeAgent: string | null
}

function writeChild(child: PlanChild, script: Script): void {
  for (let time = 0; time < child.times; time++)
    if (!writesMore(script, () => writePlan(child.plan, null, script))) return
}

/** Whether something was added, and there is room for more. */
function writesMore(script: Script, write: () => void): boolean {
  const before = script.written
  if (before < longest) write()
  return script.written > before && script.written < longest
}

function writePlan(plan: Plan, handsOffTo: string | null, script: Script): void {
  switch (plan.type) {
    case "code":
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
  const walk = script.ways.get(team) ?? walkOf({ ...team, starts }, script.counting)
  script.ways.set(team, walk)
  const start = walk.cycles?.[0]?.[0]
  // Only the team at the root of an adk workflow may begin with several.
  if (start !== undefined && start !== starts[0])
    script.activeAgent = team.members[start]?.plan.agent ?? null
  for (const way of walk.cycles ?? []) {
    for (const [step, index] of way.entries()) {
      const next = way[step + 1]
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
  const form = costliest(agent, counting)?.form
  if (definition?.type !== "LlmAgent" || form === undefined) return
  const schema = definition.adk?.outputSchema ?? null
  const text = schema === null ? script.texts.of(agent) : JSON.stringify(sampleFromSchema(schema))
  const rounds = form.toolRounds
  for (let round = 1; round <= rounds; round++) {
    const toolCalls = callsOf(agent, form, round, script)
    // The tools of a toolset are known only to the toolset.
    if (toolCalls.length > 0) add(llm, agent, { content: null, toolCalls })
  }
  const isEnded = form.modelCalls <= rounds
  if (!isEnded) {
    if (form.modelCalls > rounds + 1)
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
  script.written += form.modelCalls
}

function add(scripts: Map<string, JsonObject[]>, id: string, answer: JsonObject): void {
  const known = scripts.get(id)
  if (known === undefined) scripts.set(id, [answer])
  else known.push(answer)
}

/** Every tool once; one that ends the turn only in its last round. What a target does goes into the script right after. */
function callsOf(agent: string, form: TurnVariant, round: number, script: Script): JsonObject[] {
  const { chart } = script
  const definition = chart.agents[agent]
  if (definition?.type !== "LlmAgent") return []
  const calls: JsonObject[] = []
  for (const { id, tool } of callableTools(definition, chart)) {
    if (tool.type === "Toolset") continue
    const target = form.targets.find((one) => one.tool === id)
    const isLeftOut =
      tool.type === "AgentTool" &&
      (target === undefined || (tool.skipSummarization && round < form.toolRounds))
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
