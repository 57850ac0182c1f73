import { conditionLiterals } from "../../expression/condition-literals.js"
import { ConditionFailed } from "../../expression/index.js"
import type { CompiledCondition } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { Plan, PlanChild, Plans } from "../plan/plan.js"
import { readCondition } from "../conditions/read-condition.js"

/** What agents say, and what the state begins with, so that positions are run and loops go on. */
export interface TextChoice {
  /** The text of every turn of an agent, or of every answer of a person. */
  of(agent: string): string
  readonly state: JsonObject
}

/** A condition, and how it should come out: `when` is to hold, an exit condition not. */
interface Wish {
  readonly condition: CompiledCondition
  readonly holds: boolean
  /** Names of what decides the keys that it reads. */
  readonly sources: readonly string[]
}

/** Values that are tried for all conditions together; after these the best so far has to do. */
const patience = 50_000

const anyText = "ok, as you say"

/**
 * Chooses one text for each agent and one value for each key that no agent writes, such that every `when` holds and no loop is left by its
 * condition. A search over the values that the conditions themselves name: where it finds none, some condition comes out otherwise.
 */
export function chooseTexts(chart: AgentChart, plans: Plans): TextChoice {
  const sources = keySources(plans, chart)
  const wishes = wishesOf(plans, sources)
  const values = choose(wishes, chart.input.state)
  const keys = new Set(wishes.flatMap(({ condition }) => condition.reads))
  const state = Object.fromEntries(
    [...keys].flatMap((key) =>
      !systemKeys.has(key) &&
      values.has(sources.of(`key ${key}`)) &&
      values.get(sources.of(`key ${key}`)) !== undefined
        ? [[key, values.get(sources.of(`key ${key}`))]]
        : [],
    ),
  )
  return {
    state,
    of(agent) {
      const value = values.get(sources.of(`agent ${agent}`))
      return typeof value === "string" ? value : anyText
    },
  }
}

/** Keys and agents that come to the same text. */
interface Sources {
  of(name: string): string
  /** Whether an agent says what is under it, so that it is a text. */
  isSpoken(name: string): boolean
}

function keySources(plans: Plans, chart: AgentChart): Sources {
  const parents = new Map<string, string>()
  const of = (name: string): string => {
    let root = name
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // The next one who asks finds it at once.
    for (let at = name; at !== root;) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
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
      for (const agent of speakersOf(plan, plans)) join(`key ${plan.outputKey}`, `agent ${agent}`)
  }
  for (const tool of Object.values(chart.tools)) {
    const target =
      tool.type === "AgentTool" && tool.outputKey !== null
        ? plans.byMachine.get(tool.machine)
        : null
    if (tool.type === "AgentTool" && target != null)
      for (const agent of speakersOf(target.plan, plans))
        join(`key ${tool.outputKey}`, `agent ${agent}`)
  }
  const spoken = new Set(Object.keys(chart.agents).map((agent) => of(`agent ${agent}`)))
  return { of, isSpoken: (name) => spoken.has(of(name)) }
}

/** Every plan of every machine. */
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

/** The agents whose text is that of a plan: of a container, of the last that runs in it. */
function speakersOf(plan: Plan, plans: Plans, depth = 0): readonly string[] {
  // Deeper than any config: a chart whose machines run each other.
  if (depth > 1_000) return []
  switch (plan.type) {
    case "code":
      return []
    case "human":
    case "turn":
      return [plan.agent]
    case "machine": {
      const inner = plans.byMachine.get(plan.machine) ?? null
      return inner === null ? [] : speakersOf(inner.plan, plans, depth + 1)
    }
    case "team":
      return plan.members.flatMap((member) => speakersOf(member.plan, plans, depth + 1))
    case "group": {
      const last = plan.children.findLast(({ times }) => times > 0)
      return last === undefined ? [] : speakersOf(last.plan, plans, depth + 1)
    }
  }
}

function wishesOf(
  plans: Plans,
  sources: Sources,
): readonly (Wish & { readonly spoken: ReadonlySet<string> })[] {
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
    const names = condition.reads.map((key) => sources.of(`key ${key}`))
    return [
      {
        condition,
        holds,
        sources: names,
        spoken: new Set(names.filter((name) => sources.isSpoken(name))),
      },
    ]
  })
}

/** Values by source; undefined: the key is not there. */
type Values = Map<string, unknown>

/** Tries values one source after the other, and goes back where a condition comes out wrong. */
function choose(
  wishes: readonly (Wish & { readonly spoken: ReadonlySet<string> })[],
  seeded: JsonObject,
): Values {
  const names = [...new Set(wishes.flatMap(({ sources }) => sources))]
  const domains = names.map((name) => domainOf(name, wishes))
  // A condition is asked as soon as all that it reads has a value.
  const due = names.map((_, index) =>
    wishes.filter(
      ({ sources }) => Math.max(...sources.map((name) => names.indexOf(name))) === index,
    ),
  )
  const values: Values = new Map()
  let best: Values = new Map()
  let steps = 0
  const tryFrom = (index: number): boolean => {
    if (index > best.size) best = new Map(values)
    const name = names[index]
    if (name === undefined) return true
    for (const value of domains[index] ?? []) {
      if (++steps > patience) return false
      values.set(name, value)
      if ((due[index] ?? []).every((wish) => comesOut(wish, values, seeded)) && tryFrom(index + 1))
        return true
    }
    values.delete(name)
    return false
  }
  return tryFrom(0) ? values : best
}

function comesOut(
  { condition, sources, holds }: Wish,
  values: Values,
  seeded: JsonObject,
): boolean {
  const given = condition.reads.flatMap((key, index) => {
    const value = values.get(sources[index] ?? "")
    return value === undefined ? [] : [[key, value] as const]
  })
  try {
    return condition.evaluate({ ...seeded, ...Object.fromEntries(given) }).truthy === holds
  } catch (cause) {
    if (cause instanceof ConditionFailed) return false
    throw cause
  }
}

/** What the conditions compare with, and a little around it. */
function domainOf(
  name: string,
  wishes: readonly (Wish & { readonly spoken: ReadonlySet<string> })[],
): readonly unknown[] {
  const about = wishes.filter(({ sources }) => sources.includes(name))
  const isText = about.some(({ spoken }) => spoken.has(name))
  const literals = about.map(({ condition }) => conditionLiterals(condition.source))
  const texts = literals.flatMap((each) => each.texts)
  const numbers = literals
    .flatMap((each) => each.numbers)
    .flatMap((number) => [number, number + 1, number - 1])
  const asTexts = numbers.map(String)
  const others = isText ? [] : [...numbers, true, false, null, [], undefined]
  return [
    ...new Set<unknown>([
      ...(isText ? [anyText] : [undefined]),
      ...texts,
      ...asTexts,
      "",
      ...others,
    ]),
  ]
}
