import type { Occurrence } from "../../policies/occurrence.js"
import { violatedState } from "../../policies/automaton.js"
import type { RunEffect } from "../behavior/behavior.js"
import type { Setting } from "../behavior/setting.js"
import type { KeyValues, TrackedKeys } from "./tracked-keys.js"

/**
 * The part of a search state that the effects of a step can change. It contains the values of the
 * tracked session state keys, the number of model calls and the state of the policy's automaton.
 * The state of the chart is stored separately.
 */
export interface StateVariables {
  readonly values: KeyValues
  readonly calls: number
  readonly automaton: string
  /** The values that the last step wrote, for keys whose values the policy refers to. */
  readonly wrote: readonly WrittenConstant[]
}

/**
 * A value that a step writes to a session state key, if the policy refers to values of this key.
 * `undefined` stands for all values that the policy does not contain.
 */
export interface WrittenConstant {
  readonly key: string
  readonly value: unknown
}

/**
 * Applies the effects of a step to the variables in `first`, for example to the number of model
 * calls. Returns the variables for each possible result, or an empty list if the effects are
 * impossible.
 */
export type ApplyEffects = (
  effects: readonly RunEffect[],
  first: StateVariables,
) => readonly StateVariables[]

export function effectRules(setting: Setting, keys: TrackedKeys): ApplyEffects {
  const { automaton, maxModelCalls } = setting

  const apply = (one: StateVariables, effect: RunEffect): readonly StateVariables[] => {
    switch (effect.type) {
      case "occurs":
        return read(one, effect.occurrence)
      case "condition":
        return keys
          .check(one.values, effect.source, effect.result, effect.iteration)
          .map((values) => ({ ...one, values }))
      case "write":
        return write(one, effect)
      case "reported":
        return report(one, effect)
      case "hide":
        return [{ ...one, values: keys.hide(one.values, effect.keys) }]
      case "release":
        return [{ ...one, values: keys.release(one.values, effect.keys) }]
      case "meter":
        if (!setting.countsModelCalls) return [one]
        if (effect.is === "limit") return one.calls >= maxModelCalls ? [one] : []
        return one.calls < maxModelCalls ? [{ ...one, calls: one.calls + 1 }] : []
      case "function":
        return setting.undeclared === "helpful" && setting.helps(effect.use)
          ? [{ ...one, automaton: automaton.fulfil(one.automaton) }]
          : [one]
      case "userMessage":
      case "act":
      case "items":
      case "fixedText":
      case "steps":
        return [one]
    }
  }

  const read = (one: StateVariables, occurrence: Occurrence): readonly StateVariables[] =>
    one.automaton === violatedState || !automaton.reads(occurrence)
      ? [one]
      : automaton.next(one.automaton, occurrence).map((state) => ({ ...one, automaton: state }))

  const write = (
    one: StateVariables,
    { key, value, by, isReported = true }: Extract<RunEffect, { type: "write" }>,
  ): readonly StateVariables[] => {
    const occurrence: Occurrence = { kind: "write", name: key, ...by }
    const show = (next: StateVariables, shown: Occurrence): readonly StateVariables[] =>
      isReported ? read(next, shown) : [next]
    const index = keys.names.indexOf(key)
    const isFree = value.type === "text" || value.type === "any"
    const isHidden = index !== -1 && one.values[index] === "hidden"
    const values = keys.write(one.values, key, value)
    if (!isFree) {
      const known = value.type === "value" ? { ...occurrence, value: value.value } : occurrence
      return show({ ...one, values }, known)
    }
    const wanted = setting.writeValues.get(key) ?? []
    if (wanted.length === 0) return show({ ...one, values }, occurrence)
    const noted = (constant: unknown): Pick<StateVariables, "wrote"> => ({
      wrote: [...one.wrote, { key, value: constant }],
    })
    const each = isHidden ? [] : keys.written(key)
    return each.length === 0
      ? [undefined, ...wanted].flatMap((constant) =>
          show({ ...one, values, ...noted(constant) }, { ...occurrence, value: constant }),
        )
      : each.flatMap((abstract) => {
          const constant = keys.constant(key, abstract)
          return show(
            {
              ...one,
              values: values.map((old, position) => (position === index ? abstract : old)),
              ...noted(constant),
            },
            { ...occurrence, value: constant },
          )
        })
  }

  /**
   * Passes a write event with the key and its current value to the policy's automaton. The value is
   * unknown if parallel branches write the key (`hidden`).
   */
  const report = (
    one: StateVariables,
    { key, by }: Extract<RunEffect, { type: "reported" }>,
  ): readonly StateVariables[] => {
    const occurrence: Occurrence = { kind: "write", name: key, ...by }
    const known = keys.constant(key, one.values[keys.names.indexOf(key)] ?? "any")
    const possible =
      known === undefined ? [undefined, ...(setting.writeValues.get(key) ?? [])] : [known]
    return possible.flatMap((value) =>
      read(one, value === undefined ? occurrence : { ...occurrence, value }),
    )
  }

  return (effects, first) => {
    let all: readonly StateVariables[] = [first]
    for (const effect of effects) {
      all = all.flatMap((one) => (one.automaton === violatedState ? [one] : apply(one, effect)))
      if (all.length === 0) break
    }
    return all
  }
}
