import { violated } from "../../policies/automaton.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, RunEffect, FunctionUse, Variant } from "../behavior/behavior.js"
import type { Told } from "../containers/branch.js"
import { visibleEffects } from "../containers/branch.js"
import type { Setting } from "../behavior/setting.js"
import { stepsPerState } from "../behavior/setting.js"
import type { KeyValues, TrackedKeys } from "./tracked-keys.js"

/** A shortest path to a violation, or why there is none. */
export type Exploration =
  | { readonly type: "safe"; readonly states: number }
  | { readonly type: "violation"; readonly states: number; readonly path: readonly ProductStep[] }
  | { readonly type: "limit"; readonly states: number; readonly busiest: string | null }

/** One step of a path. */
export interface ProductStep extends Told {
  readonly records: number
  readonly occurrences: readonly Occurrence[]
  readonly uses: readonly FunctionUse[]
  readonly effects: readonly RunEffect[]
  readonly values: KeyValues
}

interface ProductState {
  readonly control: Control
  readonly values: KeyValues
  readonly calls: number
  readonly automaton: string
  readonly records: number
  readonly before: ProductState | null
  readonly step: Omit<ProductStep, "values"> | null
}

/** The parts of a product state that effects change. */
interface Situation {
  readonly values: KeyValues
  readonly calls: number
  readonly automaton: string
}

/**
 * Searches the product of a behavior and the automaton of a policy for a violation, by the number
 * of journal records, so that the first violation found is a shortest one.
 */
export function explore(behavior: Behavior, setting: Setting, keys: TrackedKeys): Exploration {
  const { automaton, chart, set } = setting
  const { settings } = chart
  const maxCalls = Math.min(settings.maxModelCalls, settings.budget?.maxModelCalls ?? Infinity)
  const seen = new Map<string, number>()
  const buckets: ProductState[][] = []
  let found: ProductState | null = null

  const applyEffect = (one: Situation, effect: RunEffect): readonly Situation[] => {
    switch (effect.type) {
      case "occurs":
        return read(one, effect.occurrence)
      case "condition":
        return keys
          .check(one.values, effect.source, effect.result, effect.iteration)
          .map((values) => ({ ...one, values }))
      case "write":
        return write(one, effect)
      case "hide":
        return [{ ...one, values: keys.hide(one.values, effect.keys) }]
      case "release":
        return [{ ...one, values: keys.release(one.values, effect.keys) }]
      case "heard":
        return [one]
      case "meter":
        if (!setting.countsModelCalls) return [one]
        if (effect.is === "limit") return one.calls >= maxCalls ? [one] : []
        return one.calls < maxCalls ? [{ ...one, calls: one.calls + 1 }] : []
      case "function":
        return setting.undeclared === "helpful" && setting.helps(effect.use)
          ? [{ ...one, automaton: automaton.fulfil(one.automaton) }]
          : [one]
    }
  }

  const read = (one: Situation, occurrence: Occurrence): readonly Situation[] =>
    one.automaton === violated || !automaton.reads(occurrence)
      ? [one]
      : automaton.next(one.automaton, occurrence).map((state) => ({ ...one, automaton: state }))

  const write = (
    one: Situation,
    { key, value, by }: Extract<RunEffect, { type: "write" }>,
  ): readonly Situation[] => {
    const occurrence: Occurrence = { kind: "write", name: key, ...by }
    const index = keys.names.indexOf(key)
    const isFree = value.type === "text" || value.type === "any"
    const isHidden = index !== -1 && one.values[index] === "hidden"
    const values = keys.write(one.values, key, value)
    if (!isFree) {
      const known = value.type === "value" ? { ...occurrence, value: value.value } : occurrence
      return read({ ...one, values }, known)
    }
    const wanted = setting.writeValues.get(key) ?? []
    if (wanted.length === 0) return read({ ...one, values }, occurrence)
    const each = isHidden ? [] : keys.written(key)
    return each.length === 0
      ? [undefined, ...wanted].flatMap((constant) =>
          read({ ...one, values }, { ...occurrence, value: constant }),
        )
      : each.flatMap((abstract) =>
          read(
            { ...one, values: values.map((old, at) => (at === index ? abstract : old)) },
            { ...occurrence, value: keys.constant(key, abstract) },
          ),
        )
  }

  const situationsAfter = (
    effects: readonly RunEffect[],
    first: Situation,
  ): readonly Situation[] => {
    let all: readonly Situation[] = [first]
    for (const effect of effects) {
      all = all.flatMap((one) => (one.automaton === violated ? [one] : applyEffect(one, effect)))
      if (all.length === 0) break
    }
    return all
  }

  const add = (
    before: ProductState | null,
    first: Situation,
    variant: Variant,
    records: number,
    told: { readonly does: string | null; readonly agent: string | null },
  ): void => {
    const effects =
      variant.end === null ? variant.effects : [...variant.effects, ...endOf(variant.end.signal)]
    const visible = visibleEffects(effects, setting)
    for (const { values, calls, automaton: state } of situationsAfter(visible, first)) {
      const isViolated = state === violated
      if (variant.next === null && !isViolated) continue
      const control = variant.next ?? over
      const sum = (before?.records ?? 0) + records
      const key = `${control.key}\n${values.join(",")}\n${calls}\n${state}`
      const known = seen.get(key)
      if (known !== undefined && known <= sum) continue
      seen.set(key, sum)
      const bucket = (buckets[sum] ??= [])
      bucket.push({
        control,
        values,
        calls,
        automaton: state,
        records: sum,
        before,
        step: {
          does: told.does ?? "",
          agent: told.agent,
          records,
          occurrences: visible.flatMap((effect) =>
            effect.type === "occurs" ? [effect.occurrence] : [],
          ),
          uses: visible.flatMap((effect) => (effect.type === "function" ? [effect.use] : [])),
          effects: visible,
        },
      })
    }
  }

  const start: Situation = { values: keys.start, calls: 0, automaton: automaton.start }
  for (const begun of read(start, runOccurrence("started")))
    for (const variant of behavior.start())
      add(null, begun, variant, 0, { does: "The run starts.", agent: null })

  const anytime = [
    ...(automaton.reads(runOccurrence("stopped"))
      ? [{ does: "A person stops the run.", occurrence: runOccurrence("stopped") }]
      : []),
    ...(settings.maxDurationMs !== undefined && automaton.reads(runOccurrence("limit"))
      ? [{ does: "The run takes too long.", occurrence: runOccurrence("limit") }]
      : []),
  ]
  let states = 0
  let steps = 0
  for (let records = 0; records < buckets.length && found === null; records++) {
    const bucket = buckets[records] ?? []
    for (let index = 0; index < bucket.length; index++) {
      const state = bucket[index] as ProductState
      if (
        seen.get(
          `${state.control.key}\n${state.values.join(",")}\n${state.calls}\n${state.automaton}`,
        ) !== records
      )
        continue
      if (state.automaton === violated) {
        found = state
        break
      }
      states++
      if (states > set.maxStates)
        return { type: "limit", states: set.maxStates, busiest: state.step?.agent ?? null }
      for (const { does, occurrence } of anytime)
        add(state, state, { effects: [{ type: "occurs", occurrence }], next: over, end: null }, 1, {
          does,
          agent: null,
        })
      if (state.control === over) continue
      for (const move of behavior.moves(state.control)) {
        if (++steps > set.maxStates * stepsPerState)
          return { type: "limit", states, busiest: state.step?.agent ?? null }
        add(state, state, move, move.records, move)
      }
    }
    buckets[records] = []
  }
  return found === null
    ? { type: "safe", states }
    : { type: "violation", states, path: pathTo(found) }
}

const over: Control = { key: "over" }

const runOccurrence = (name: string): Occurrence => ({ kind: "run", name, agent: "", within: [] })

function endOf(signal: string): readonly RunEffect[] {
  const name =
    signal === "failed"
      ? "failed"
      : signal === "limited"
        ? "limit"
        : signal === "stopped"
          ? "stopped"
          : "completed"
  return [{ type: "occurs", occurrence: runOccurrence(name) }]
}

function pathTo(last: ProductState): readonly ProductStep[] {
  const path: ProductStep[] = []
  for (let state: ProductState | null = last; state !== null; state = state.before)
    if (state.step !== null) path.push({ ...state.step, values: state.values })
  return path.reverse()
}
