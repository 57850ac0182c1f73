import { ConditionFailed } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { systemKey, systemKeys } from "../../machines/data/system-keys.js"
import type { Assumptions } from "../../policies/policy.js"
import { requiredKeys } from "../../policies/agent-reads.js"
import type { Act } from "../behavior/act.js"
import type { ConditionOutcome, RunEffect } from "../behavior/behavior.js"
import { itemKeys } from "../behavior/branch-copies.js"
import { readCondition } from "../conditions/read-condition.js"
import { countOf } from "../conditions/count-of.js"
import type { ProductPath } from "./explore.js"
import type { Constraint, Variable } from "./choose-values.js"
import { chooseValues } from "./choose-values.js"
import type { ValueSource } from "./value-domain.js"
import { sourceOf, valueDomain } from "./value-domain.js"

/** The initial state and responses that make a real run follow the path of a counterexample. */
export interface PathScript {
  /** Values of the session state at the start of the run, by key. */
  readonly state: JsonObject
  readonly acts: readonly ScriptedAct[]
  /** Conditions on the path for which no values with the required result were found. */
  readonly unmet: readonly string[]
}

export interface ScriptedAct {
  readonly act: Act
  /** Names of the agents that start after the previous and before this response, in order. */
  readonly starts: readonly string[]
  /**
   * The text of a model, the answer of a person or the result of a tool. null means that the model
   * returns no text. Absent if the value does not influence the path.
   */
  readonly value?: unknown
  /** Values that a host function writes to the session state, by key. */
  readonly writes: JsonObject
}

/** A response on the path. `own` has a variable for each value that must be chosen. */
interface PathAct {
  act: Act
  readonly starts: readonly string[]
  readonly own: Map<string, Variable>
}

/** The value of a session state key at one step. null means that the value is unknown. */
type PathValue = Variable | { readonly value: unknown } | null

/**
 * Returns a script with which a real run follows a path. Chooses texts, answers and initial values
 * so that every condition on the path has its required result. `keys` are the session state keys
 * whose writes the path contains.
 */
export function pathScript(
  path: ProductPath,
  chart: AgentChart,
  keys: ReadonlySet<string>,
  assume: Assumptions,
): PathScript {
  const starts = new Map<string, Variable>()
  const held = new Map<string, PathValue>()
  const constraints: Constraint[] = []
  const acts: PathAct[] = []
  let last: PathAct | undefined
  let started: string[] = []

  const variable = (source: ValueSource): Variable => ({
    source,
    keys: new Set(),
    sources: new Set(),
  })
  const items = itemKeys(chart)
  const startOf = (key: string): PathValue => {
    if (systemKeys.has(key)) return { value: undefined }
    if (items.has(key)) return null
    const given = chart.input.state
    if (assume.startState === "chart" && assume.session === "new")
      return { value: Object.hasOwn(given, key) ? given[key] : undefined }
    let start = starts.get(key)
    if (start === undefined) {
      start = variable({ type: "start", given: given[key], isGiven: Object.hasOwn(given, key) })
      start.keys.add(key)
      starts.set(key, start)
    }
    return start
  }
  const holds = (key: string): PathValue => {
    const known = held.get(key)
    return known === undefined ? startOf(key) : known
  }
  /**
   * Returns the variable for the value that the last response writes to a key, or null if the value
   * is unknown. `chooseValues` chooses its value later. All keys that a model, tool or person
   * writes in one response share a variable.
   */
  const writtenBy = (key: string): PathValue => {
    if (last === undefined || systemKeys.has(key)) return null
    const { act, own } = last
    if (act.by === "clock") return null
    const name = act.by === "function" ? key : ""
    let found = own.get(name)
    if (found === undefined) {
      found = variable(sourceOf(act))
      own.set(name, found)
    }
    found.keys.add(key)
    return found
  }
  /** Adds a response. If it continues an earlier response, adds its calls to that response. */
  const addAct = (act: Act): PathAct => {
    const before =
      act.by === "model" && act.isContinued === true
        ? acts.findLast((one) => one.act.by === "model" && one.act.agent === act.agent)
        : undefined
    if (act.by !== "model" || before?.act.by !== "model") {
      const added = { act, starts: started, own: new Map<string, Variable>() }
      acts.push(added)
      started = []
      return added
    }
    const { isContinued: _joined, ...rest } = act
    before.act = { ...rest, calls: [...before.act.calls, ...act.calls] }
    return before
  }
  const textOfLast = (): Variable | null => {
    if (last?.act.by !== "model" && last?.act.by !== "person") return null
    const one = last.own.get("") ?? variable(sourceOf(last.act))
    last.own.set("", one)
    return one
  }
  const check = (
    source: string,
    result: ConditionOutcome,
    iteration: number | "unknown" | null,
  ): void => {
    const condition = readCondition(source)
    if (condition === null || condition.readsOtherKeys) return
    constrain(
      source,
      condition.reads.map((key) => [key, readsOf(key, iteration)] as const),
      (state) => {
        try {
          return (condition.evaluate(state).truthy ? "holds" : "fails") === result
        } catch (cause) {
          if (cause instanceof ConditionFailed) return result === "raises"
          throw cause
        }
      },
      [],
    )
  }
  /** Adds constraints so that all keys in an agent's instructions have a value. */
  const fillInstructions = (agent: string): void => {
    const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
    if (definition?.type !== "LlmAgent") return
    for (const key of requiredKeys(definition))
      constrain(`{${key}} of ${agent}`, [[key, holds(key)]], (state) => key in state, [])
  }
  /**
   * Adds a constraint for the result of the expression `source`, which reads the values in `reads`.
   * `values` are additional values that the search can choose.
   */
  const constrain = (
    source: string,
    reads: readonly (readonly [key: string, held: PathValue])[],
    isMet: (state: JsonObject) => boolean,
    values: readonly unknown[],
  ): void => {
    if (reads.some(([, one]) => one === null)) return
    const variables = reads.flatMap(([, one]) => (one !== null && "keys" in one ? [one] : []))
    for (const one of variables)
      for (const text of [source, ...values.map((value) => JSON.stringify(value))])
        one.sources.add(text)
    constraints.push({
      source,
      variables,
      holds: (valueOf) => {
        const state: JsonObject = {}
        for (const [key, one] of reads) {
          const value = one === null ? undefined : "keys" in one ? valueOf(one) : one.value
          if (value !== undefined) Object.defineProperty(state, key, { value, enumerable: true })
        }
        return isMet(state)
      },
    })
  }
  const checkItems = ({ source, least, most }: Extract<RunEffect, { type: "items" }>): void => {
    const condition = readCondition(source)
    if (condition === null || condition.readsOtherKeys) return
    constrain(
      source,
      condition.reads.map((key) => [key, holds(key)] as const),
      (state) => {
        const count = countOf(source, state)
        return least === null
          ? count === null || count > most
          : count !== null && count >= least && count <= most
      },
      least === null ? [] : [Array.from({ length: least }, () => "some")],
    )
  }
  const readsOf = (key: string, iteration: number | "unknown" | null): PathValue =>
    key !== systemKey.loopIteration
      ? holds(key)
      : iteration === "unknown"
        ? null
        : { value: iteration ?? undefined }
  const follow = (effect: RunEffect): void => {
    switch (effect.type) {
      case "act":
        last = addAct(effect.act)
        break
      case "steps":
        effect.all.forEach(follow)
        break
      case "condition":
        check(effect.source, effect.result, effect.iteration)
        break
      case "occurs":
        if (effect.occurrence.kind === "model") fillInstructions(effect.occurrence.agent)
        if (effect.occurrence.kind === "start") started.push(effect.occurrence.name)
        break
      case "items":
        checkItems(effect)
        break
      case "fixedText": {
        const { text } = effect
        const one = textOfLast()
        if (one === null) break
        one.sources.add(JSON.stringify(text))
        constraints.push({
          source: `the route "${text}"`,
          variables: [one],
          holds: (valueOf) => valueOf(one) === text,
        })
        break
      }
      case "write":
        held.set(
          effect.key,
          effect.value.type === "value"
            ? { value: effect.value.value }
            : effect.value.type === "removed"
              ? { value: undefined }
              : writtenBy(effect.key),
        )
        break
      default:
    }
  }
  for (const { effects, wrote } of path) {
    effects.forEach(follow)
    for (const { key, value } of wrote) {
      const one = held.get(key) ?? null
      if (one === null || !("keys" in one)) continue
      const isWanted = (chosen: unknown): boolean =>
        JSON.stringify(chosen) === JSON.stringify(value)
      if (value !== undefined) one.sources.add(JSON.stringify(value))
      if (value !== undefined)
        constraints.push({
          source: `${key} == ${JSON.stringify(value)}`,
          variables: [one],
          holds: (valueOf) => isWanted(valueOf(one)),
        })
    }
  }

  const { values, unmet } = chooseValues(constraints, chart)
  const valueOf = (one: Variable): unknown =>
    values.has(one) ? values.get(one) : valueDomain(one.source, one.sources, chart)[0]
  return {
    state: Object.fromEntries(
      [...starts].flatMap(([key, one]) => {
        const value = valueOf(one)
        return value === undefined || (one.source.type === "start" && value === one.source.given)
          ? []
          : [[key, value]]
      }),
    ),
    acts: acts.map(({ act, own, starts: before }) => {
      const one = own.get("")
      const isSilent = act.by === "model" && one === undefined && isTracked(act.agent, chart, keys)
      return {
        act,
        starts: before,
        ...(one !== undefined ? { value: valueOf(one) } : isSilent && { value: null }),
        writes: Object.fromEntries(
          [...own].flatMap(([key, each]) => (key === "" ? [] : [[key, valueOf(each)]])),
        ),
      }
    }),
    unmet,
  }
}

const isTracked = (agent: string, { agents }: AgentChart, keys: ReadonlySet<string>): boolean => {
  const key = Object.hasOwn(agents, agent) ? (agents[agent]?.outputKey ?? null) : null
  return key !== null && keys.has(key)
}
