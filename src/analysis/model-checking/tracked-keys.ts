import { conditionLiterals } from "../../expression/condition-literals.js"
import { ConditionFailed } from "../../expression/index.js"
import type { CompiledCondition } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { systemKey, systemKeys } from "../../machines/data/system-keys.js"
import type { Atom } from "../../policies/atom.js"
import type { Assumptions } from "../../policies/policy.js"
import { conditionsIn } from "../conditions/conditions-in.js"
import { readCondition } from "../conditions/read-condition.js"
import type { ConditionOutcome, WrittenValue } from "../behavior/behavior.js"

/**
 * An abstract value, which describes the possible values of a session state key during the search.
 * `any` means that nothing is known, and that the key may be missing. `written` means that the key
 * exists with an unknown value. If a condition reads the key, both become more precise. `hidden` is
 * like `any`, but stays unknown until the effect `release`. `absent` means that the key is missing.
 * A number is the index of a constant of the key, and `other` is any value that is not such a
 * constant.
 */
export type KeyValue = "any" | "written" | "hidden" | "absent" | "other" | number

/** The abstract values of all tracked session state keys, in the order of `TrackedKeys.names`. */
export type KeyValues = readonly KeyValue[]

/**
 * The session state keys whose values the search tracks, with operations on their abstract values
 * (`KeyValue`). A key is tracked if a condition reads it, or if the policy compares its written
 * values. The constants of a key are the literals in these conditions and policies.
 */
export interface TrackedKeys {
  readonly names: readonly string[]
  readonly start: KeyValues
  write(values: KeyValues, key: string, value: WrittenValue): KeyValues
  hide(values: KeyValues, keys: readonly string[]): KeyValues
  release(values: KeyValues, keys: readonly string[]): KeyValues
  /**
   * Returns the values with which the condition `source` has the result `result`. Unknown values
   * are replaced by more precise values that cause the result. Returns an empty list if the result
   * is impossible.
   */
  check(
    values: KeyValues,
    source: string,
    result: ConditionOutcome,
    iteration: number | "unknown" | null,
  ): readonly KeyValues[]
  /**
   * Returns whether the search can evaluate a condition. This is the case if the condition reads
   * only tracked session state keys and the loop iteration.
   */
  decides(source: string): boolean
  /**
   * Returns all abstract values that a session state key can have after a write, which are its
   * constants and `other`. Returns an empty list if the key is not tracked.
   */
  written(key: string): readonly KeyValue[]
  /**
   * Returns the JSON value of a constant of the session state key `key`. Returns undefined if
   * `value` is not the index of a constant.
   */
  constant(key: string, value: KeyValue): unknown
}

/**
 * Maximum number of session state keys whose values are tracked. All other keys can have any value.
 */
const maxKeys = 8

/**
 * Example JSON values for the abstract value `other`, which is any value that is not a constant of
 * the key. Conditions are evaluated with these examples.
 */
const otherValues: readonly unknown[] = [
  "some text",
  "",
  "7",
  7.5,
  [],
  ["some"],
  {},
  null,
  true,
  false,
]

/**
 * Returns values that are similar to a constant. A comparison with the constant may have a
 * different result for them.
 */
const nearby = (constant: unknown): readonly unknown[] =>
  typeof constant === "number"
    ? [constant - 1, constant + 1, String(constant), [constant]]
    : typeof constant === "string"
      ? [`${constant} and more`, [constant], { [constant]: constant }]
      : []

/** Returns the source texts of all conditions in the machines and agents of a chart. */
export const conditionsOf = (chart: AgentChart): readonly string[] =>
  Object.values(chart.machines).flatMap(({ states }) => conditionsIn({ states }, chart))

/**
 * Chooses the session state keys whose values the search tracks. If `readsConditions` is false, no
 * condition is evaluated, and each condition can be true or false.
 */
export function trackedKeys(
  chart: AgentChart,
  atoms: readonly Atom[],
  assume: Assumptions,
  readsConditions = true,
): TrackedKeys {
  const conditions = new Map<string, CompiledCondition | null>()
  const checked = readsConditions ? conditionsOf(chart) : []
  for (const source of checked)
    if (!conditions.has(source)) conditions.set(source, readCondition(source))
  const constants = new Map<string, unknown[]>()
  const addConstants = (key: string, values: readonly unknown[]): void => {
    const known = constants.get(key) ?? []
    for (const value of values)
      if (!known.some((one) => JSON.stringify(one) === JSON.stringify(value))) known.push(value)
    constants.set(key, known)
  }
  for (const condition of conditions.values()) {
    if (condition === null) continue
    const { texts, numbers } = conditionLiterals(condition.source)
    const words = [
      ...(/\bTrue\b/u.test(condition.source) ? [true] : []),
      ...(/\bFalse\b/u.test(condition.source) ? [false] : []),
      ...(/\bNone\b/u.test(condition.source) ? [null] : []),
    ]
    const keys = new Set(condition.reads)
    const values = [...texts.filter((text) => !keys.has(text)), ...numbers, ...words]
    for (const key of condition.reads)
      if (key !== systemKey.loopIteration) addConstants(key, values)
  }
  for (const { kind, names, equals } of atoms)
    if (kind === "write" && equals !== null)
      for (const name of names) if (!name.includes("*")) addConstants(name, [equals.value])
  const names = [...constants.keys()].slice(0, maxKeys)
  const positions = new Map(names.map((name, index) => [name, index]))
  const known = names.map((name) => constants.get(name) ?? [])

  const abstract = (index: number, value: unknown): KeyValue => {
    const text = JSON.stringify(value)
    const constant = (known[index] ?? []).findIndex((one) => JSON.stringify(one) === text)
    return constant === -1 ? "other" : constant
  }
  const start = names.map((name, index): KeyValue => {
    if (systemKeys.has(name)) return "absent"
    // A stored session can have any state.
    if (assume.startState === "any" || assume.session === "any") return "any"
    const { state } = chart.input
    return Object.hasOwn(state, name) ? abstract(index, state[name]) : "absent"
  })
  const withValue = (values: KeyValues, index: number, value: KeyValue): KeyValues =>
    values.map((one, position) => (position === index ? value : one))

  const set = (values: KeyValues, keys: readonly string[], value: KeyValue): KeyValues =>
    keys.reduce((all, key) => {
      const index = positions.get(key)
      return index === undefined ? all : withValue(all, index, value)
    }, values)

  /**
   * Returns example JSON values for the abstract value `value` of the key `names[index]`.
   * `undefined` stands for a missing key.
   */
  const concrete = (index: number, value: KeyValue): readonly unknown[] => {
    const own = known[index] ?? []
    const others = [...otherValues, ...own.flatMap(nearby)].filter(
      (one) => !own.some((constant) => JSON.stringify(constant) === JSON.stringify(one)),
    )
    if (typeof value === "number") return [own[value]]
    if (value === "absent") return [undefined]
    if (value === "other") return others
    return [...own, ...others, ...(value === "written" ? [] : [undefined])]
  }

  /**
   * Returns the more precise values that `value` can stand for. For example, `written` stands for
   * each constant of the key `names[index]` and for `other`.
   */
  const narrowed = (index: number, value: KeyValue): readonly KeyValue[] => {
    if (value !== "any" && value !== "written") return [value]
    const each: readonly KeyValue[] = [...(known[index] ?? []).keys(), "other"]
    return value === "any" ? [...each, "absent"] : each
  }

  const cache = new Map<string, readonly KeyValues[]>()

  return {
    names,
    start,
    write(values, key, value) {
      const index = positions.get(key)
      if (index === undefined || values[index] === "hidden") return values
      switch (value.type) {
        case "value":
          return withValue(values, index, abstract(index, value.value))
        case "removed":
          return withValue(values, index, "absent")
        case "text":
        case "any":
          return withValue(values, index, "written")
      }
    },
    hide: (values, keys) => set(values, keys, "hidden"),
    release: (values, keys) => set(values, keys, "any"),
    decides(source) {
      const condition = conditions.get(source) ?? null
      return (
        condition !== null &&
        !condition.readsOtherKeys &&
        condition.reads.every((key) => key === systemKey.loopIteration || positions.has(key))
      )
    },
    written(key) {
      const index = positions.get(key)
      return index === undefined ? [] : [...(known[index] ?? []).keys(), "other"]
    },
    constant(key, value) {
      const index = positions.get(key)
      return index === undefined || typeof value !== "number" ? undefined : known[index]?.[value]
    },
    check(values, source, result, iteration) {
      const condition = conditions.get(source) ?? readCondition(source)
      if (condition === null || condition.readsOtherKeys) return [values]
      const reads = condition.reads.filter((key) => key !== systemKey.loopIteration)
      const readsIteration = reads.length < condition.reads.length
      if (reads.some((key) => !positions.has(key))) return [values]
      if (readsIteration && typeof iteration !== "number") return [values]
      const key = JSON.stringify([
        source,
        result,
        iteration,
        reads.map((one) => values[positions.get(one) ?? 0]),
      ])
      const stored = cache.get(key)
      const indexes = reads.map((one) => positions.get(one) ?? 0)
      if (stored !== undefined)
        return stored.map((found) =>
          values.map((one, position) =>
            indexes.includes(position) ? (found[position] ?? one) : one,
          ),
        )
      let candidates: readonly KeyValues[] = [values]
      for (const index of indexes.slice(0, 3))
        candidates = candidates.flatMap((one) =>
          narrowed(index, one[index] ?? "any").map((value) => withValue(one, index, value)),
        )
      const found = candidates.filter((one) => {
        const lists = indexes.map((index) => concrete(index, one[index] ?? "any"))
        const count = lists.reduce((product, { length }) => product * length, 1)
        return (
          count > maxCombinations ||
          combinations(lists).some(
            (combination) => outcomeOf(condition, reads, combination, iteration) === result,
          )
        )
      })
      cache.set(key, found)
      return found
    },
  }
}

/**
 * Maximum number of combinations of key values with which one condition is evaluated. If there are
 * more, every result is considered possible.
 */
const maxCombinations = 5_000

const combinations = (lists: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] =>
  lists.reduce<readonly (readonly unknown[])[]>(
    (all, list) => all.flatMap((one) => list.map((value) => [...one, value])),
    [[]],
  )

function outcomeOf(
  condition: CompiledCondition,
  keys: readonly string[],
  values: readonly unknown[],
  iteration: number | "unknown" | null,
): ConditionOutcome {
  const state = Object.fromEntries(
    keys.flatMap((key, index) => (values[index] === undefined ? [] : [[key, values[index]]])),
  )
  if (typeof iteration === "number") state[systemKey.loopIteration] = iteration
  try {
    return condition.evaluate(state).truthy ? "holds" : "fails"
  } catch (cause) {
    if (cause instanceof ConditionFailed) return "raises"
    throw cause
  }
}
