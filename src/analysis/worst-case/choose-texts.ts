import { conditionLiterals } from "../../expression/condition-literals.js"
import { ConditionFailed } from "../../expression/index.js"
import type { CompiledCondition } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { AnswerChoice } from "../../machines/contract/pending-request.js"
import { chosenFrom } from "../../machines/human/answer-choices.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { Plan, PlanChild, Plans } from "../plan/plan.js"
import { readCondition } from "../conditions/read-condition.js"

/**
 * The output texts of agents and the initial session state for a worst-case run, which makes as
 * many calls as possible. The values are chosen so that every `when` condition is true and no loop
 * ends early.
 */
export interface TextChoice {
  /**
   * Returns the output text of an agent in the worst-case run. The agent returns this text in all
   * of its turns. For a HumanAgent, returns the answer of the person.
   */
  of(agent: string): string
  readonly state: JsonObject
}

/**
 * A condition and the result with which a run makes the most calls. `holds` is true for a `when`
 * condition, and false for the exit condition of a loop.
 */
interface ConditionGoal {
  readonly condition: CompiledCondition
  readonly holds: boolean
  /** For each key that the condition reads, the name of its value group (`ValueGroups`). */
  readonly groups: readonly string[]
  /** The names in `groups` whose value is the output text of an agent, which is a string. */
  readonly agentTexts: ReadonlySet<string>
}

/**
 * Maximum number of values that `choose` tries. If it is reached, the best combination so far is
 * used.
 */
const maxTries = 50_000

const defaultText = "ok, as you say"

/**
 * Chooses one output text for each agent, and one initial value for each key that no agent writes.
 * The goal is that every `when` condition is true and every exit condition is false. The values are
 * taken from the literals in the conditions. If no combination satisfies all conditions, the result
 * satisfies only some of them.
 */
export function chooseTexts(chart: AgentChart, plans: Plans): TextChoice {
  const groups = valueGroups(plans, chart)
  const goals = goalsOf(plans, groups)
  const choices = choicesByGroup(chart, groups)
  const values = choose(goals, choices, chart.input.state)
  const keys = new Set(goals.flatMap(({ condition }) => condition.reads))
  const state = Object.fromEntries(
    [...keys].flatMap((key) =>
      !systemKeys.has(key) &&
      values.has(groups.of(`key ${key}`)) &&
      values.get(groups.of(`key ${key}`)) !== undefined
        ? [[key, values.get(groups.of(`key ${key}`))]]
        : [],
    ),
  )
  return {
    state,
    of(agent) {
      const value = values.get(groups.of(`agent ${agent}`))
      const choices = choicesOf(agent, chart)
      const text = typeof value === "string" ? value : defaultText
      return choices === null ? text : String(chosenFrom(choices, value) ?? choices[0] ?? text)
    },
  }
}

/**
 * Value groups, which are groups of session state keys and agents that share one value. A key and
 * an agent are in one group if the output of the agent is stored under the key. `of` returns the
 * name of the group that contains, for example, `key draft` or `agent writer`.
 */
interface ValueGroups {
  of(name: string): string
  /** Returns whether the value that a group shares is an output text of an agent. */
  isAgentText(name: string): boolean
}

function valueGroups(plans: Plans, chart: AgentChart): ValueGroups {
  const parents = new Map<string, string>()
  const of = (name: string): string => {
    let root = name
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // Path compression: the next lookup finds the root in one step.
    for (let ancestor = name; ancestor !== root;) {
      const next = parents.get(ancestor) ?? root
      parents.set(ancestor, root)
      ancestor = next
    }
    return root
  }
  const join = (one: string, other: string): void => {
    const [from, to] = [of(one), of(other)]
    if (from !== to) parents.set(from, to)
  }
  for (const [agent, { outputKey }] of Object.entries(chart.agents))
    if (outputKey !== null) join(`key ${outputKey}`, `agent ${agent}`)
  for (const { plan } of children(plans)) {
    if (plan.type === "group" && plan.outputKey !== null)
      for (const agent of outputAgentsOf(plan, plans))
        join(`key ${plan.outputKey}`, `agent ${agent}`)
  }
  for (const tool of Object.values(chart.tools)) {
    const target =
      tool.type === "AgentTool" && tool.outputKey !== null
        ? plans.byMachine.get(tool.machine)
        : null
    if (tool.type === "AgentTool" && target != null)
      for (const agent of outputAgentsOf(target.plan, plans))
        join(`key ${tool.outputKey}`, `agent ${agent}`)
  }
  const agentTexts = new Set(Object.keys(chart.agents).map((agent) => of(`agent ${agent}`)))
  return { of, isAgentText: (name) => agentTexts.has(of(name)) }
}

/** Returns the root plan (possible executions) of every machine, and all plans inside it. */
function children(plans: Plans): readonly PlanChild[] {
  const found: PlanChild[] = []
  const visit = (child: PlanChild): void => {
    found.push(child)
    if (child.plan.type === "group") child.plan.children.forEach(visit)
    if (child.plan.type === "team") child.plan.members.forEach(visit)
  }
  for (const root of plans.byMachine.values()) if (root !== null) visit(root)
  return found
}

/**
 * Returns the ids of the agents whose output text can become the output of the agent or container
 * with this plan. The output of a container is the output of its last agent.
 */
function outputAgentsOf(plan: Plan, plans: Plans, depth = 0): readonly string[] {
  // Only reached if the machines of an edited chart invoke each other.
  if (depth > 1_000) return []
  switch (plan.type) {
    case "code":
    case "wait":
    case "call":
      return []
    case "human":
    case "turn":
      return [plan.agent]
    case "machine": {
      const inner = plans.byMachine.get(plan.machine) ?? null
      return inner === null ? [] : outputAgentsOf(inner.plan, plans, depth + 1)
    }
    case "team":
      return plan.members.flatMap((member) => outputAgentsOf(member.plan, plans, depth + 1))
    case "group": {
      const last = plan.children.findLast(({ times }) => times > 0)
      return last === undefined ? [] : outputAgentsOf(last.plan, plans, depth + 1)
    }
  }
}

/**
 * Returns the possible answers of HumanAgents, by the name of their value group (`ValueGroups`). If
 * a group contains several HumanAgents, their answers are combined.
 */
function choicesByGroup(
  chart: AgentChart,
  groups: ValueGroups,
): ReadonlyMap<string, readonly AnswerChoice[]> {
  const found = new Map<string, readonly AnswerChoice[]>()
  for (const agent of Object.keys(chart.agents)) {
    const choices = choicesOf(agent, chart)
    const name = groups.of(`agent ${agent}`)
    if (choices !== null) found.set(name, [...(found.get(name) ?? []), ...choices])
  }
  return found
}

/**
 * Returns the possible answers of a HumanAgent. Returns null if the person can answer with any
 * text.
 */
function choicesOf(agent: string, { agents }: AgentChart): readonly AnswerChoice[] | null {
  const definition = Object.hasOwn(agents, agent) ? agents[agent] : undefined
  return definition?.type === "HumanAgent" ? (definition.choices ?? null) : null
}

function goalsOf(plans: Plans, groups: ValueGroups): readonly ConditionGoal[] {
  const wanted = new Map<string, boolean>()
  for (const { plan, when } of children(plans)) {
    if (when !== null) wanted.set(when, true)
    if (plan.type === "group" && plan.exitCondition !== null && plan.times > 1)
      wanted.set(plan.exitCondition, false)
  }
  return [...wanted].flatMap(([source, holds]) => {
    const condition = readCondition(source)
    if (
      condition === null ||
      condition.reads.length === 0 ||
      condition.reads.some((key) => systemKeys.has(key))
    )
      return []
    const names = condition.reads.map((key) => groups.of(`key ${key}`))
    return [
      {
        condition,
        holds,
        groups: names,
        agentTexts: new Set(names.filter((name) => groups.isAgentText(name))),
      },
    ]
  })
}

/** The chosen value of each group in `ValueGroups`, by name. undefined is a missing key. */
type Values = Map<string, unknown>

/**
 * Chooses one value for each value group (`ValueGroups`), so that every condition has the wanted
 * result. Uses backtracking. If this is impossible, returns values for as many groups as possible.
 */
function choose(
  goals: readonly ConditionGoal[],
  choices: ReadonlyMap<string, readonly AnswerChoice[]>,
  initialState: JsonObject,
): Values {
  const names = [...new Set(goals.flatMap(({ groups }) => groups))]
  const domains = names.map((name) => choices.get(name) ?? domainOf(name, goals))
  // A condition is evaluated as soon as all of its keys have a value.
  const due = names.map((_, index) =>
    goals.filter(({ groups }) => Math.max(...groups.map((name) => names.indexOf(name))) === index),
  )
  const values: Values = new Map()
  let best: Values = new Map()
  let steps = 0
  const tryFrom = (index: number): boolean => {
    if (index > best.size) best = new Map(values)
    const name = names[index]
    if (name === undefined) return true
    for (const value of domains[index] ?? []) {
      if (++steps > maxTries) return false
      values.set(name, value)
      if (
        (due[index] ?? []).every((goal) => isReached(goal, values, initialState)) &&
        tryFrom(index + 1)
      )
        return true
    }
    values.delete(name)
    return false
  }
  return tryFrom(0) ? values : best
}

function isReached(
  { condition, groups, holds }: ConditionGoal,
  values: Values,
  initialState: JsonObject,
): boolean {
  const given = condition.reads.flatMap((key, index) => {
    const value = values.get(groups[index] ?? "")
    return value === undefined ? [] : [[key, value] as const]
  })
  try {
    return condition.evaluate({ ...initialState, ...Object.fromEntries(given) }).truthy === holds
  } catch (cause) {
    if (cause instanceof ConditionFailed) return false
    throw cause
  }
}

/**
 * Returns the values to try for a value group (`ValueGroups`). These are the literals in its
 * conditions, and the numbers directly below and above each number.
 */
function domainOf(name: string, goals: readonly ConditionGoal[]): readonly unknown[] {
  const about = goals.filter(({ groups }) => groups.includes(name))
  const isText = about.some(({ agentTexts }) => agentTexts.has(name))
  const literals = about.map(({ condition }) => conditionLiterals(condition.source))
  const texts = literals.flatMap((each) => each.texts)
  const numbers = literals
    .flatMap((each) => each.numbers)
    .flatMap((number) => [number, number + 1, number - 1])
  const asTexts = numbers.map(String)
  const others = isText ? [] : [...numbers, true, false, null, [], undefined]
  return [
    ...new Set<unknown>([
      ...(isText ? [defaultText] : [undefined]),
      ...texts,
      ...asTexts,
      "",
      ...others,
    ]),
  ]
}
