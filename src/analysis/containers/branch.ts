import type { Behavior, Control, RunEffect, End, Move, Variant } from "../behavior/behavior.js"
import type { Setting } from "../behavior/setting.js"
import { stepsPerState, TooManyStates } from "../behavior/setting.js"

/**
 * A branch that was explored alone and reduced to the steps that matter to the policy. The steps
 * between them are silent, so their order relative to other branches does not matter.
 */
export interface Branch {
  readonly starts: readonly BranchEdge[]
  readonly edges: readonly (readonly BranchEdge[])[]
  /** Whether the branch waits for people in a state, by state. */
  readonly waits: readonly boolean[]
  /** Whether no step of the branch matters, so that it is like every other such branch. */
  readonly isSilent: boolean
}

/** A step of a reduced branch: silent steps, then effects, then a state or an end. */
export interface BranchEdge {
  readonly effects: readonly RunEffect[]
  readonly to: number | null
  readonly end: End | null
  readonly records: number
  readonly told: readonly Told[]
}

/** A step of the run in words. */
export interface Told {
  readonly does: string
  readonly agent: string | null
}

/**
 * Explores a branch alone. Keys that branches write are hidden in the whole block, so only effects
 * on the policy, on the counter of model calls and on other keys remain. With `countsWaiting`, steps
 * after which the branch begins or stops to wait for people remain, too.
 */
export function reduceBranch(behavior: Behavior, setting: Setting, countsWaiting: boolean): Branch {
  const found = explore(behavior, setting)
  const { states, moves } = found
  const waits = states.map((state) => behavior.waits(state))
  const closures = states.map(() => null as readonly BranchEdge[] | null)
  const targets = new Set<number>()
  const visibleFrom = (first: readonly Raw[], isWaiting: boolean): readonly BranchEdge[] => {
    const edges = new Map<string, BranchEdge>()
    const best = new Map<number, number>()
    const queue: { raw: Raw; records: number; told: readonly Told[] }[] = first.map((raw) => ({
      raw,
      records: 0,
      told: [],
    }))
    // Steps cost 0 or more records; a state is visited again only if it is reached with fewer.
    for (let index = 0; index < queue.length; index++) {
      const { raw, records, told } = queue[index] as (typeof queue)[number]
      const sum = records + raw.records
      const words = raw.does === null ? told : [...told, { does: raw.does, agent: raw.agent }]
      const changesPlace = countsWaiting && raw.to !== null && waits[raw.to] !== isWaiting
      if (raw.effects.length === 0 && raw.to !== null && !changesPlace) {
        const before = best.get(raw.to)
        if (before !== undefined && before <= sum) continue
        best.set(raw.to, sum)
        for (const next of moves[raw.to] ?? []) queue.push({ raw: next, records: sum, told: words })
        continue
      }
      const edge: BranchEdge = {
        effects: raw.effects,
        to: raw.to,
        end: raw.end,
        records: sum,
        told: words,
      }
      const key = JSON.stringify([raw.effects, raw.to, raw.end])
      const other = edges.get(key)
      if (other === undefined || other.records > sum) edges.set(key, edge)
      if (raw.to !== null) targets.add(raw.to)
    }
    return [...edges.values()]
  }
  const all = visibleFrom(found.starts, false)
  const isSilent = all.every(({ effects, to }) => effects.length === 0 && to === null)
  // Other branches can make steps between the start of a branch and its first step that matters.
  const starts = isSilent
    ? all
    : found.starts.map(({ effects, to, end, records }) => ({ effects, to, end, records, told: [] }))
  for (const { to } of starts) if (to !== null) targets.add(to)
  for (const target of targets)
    closures[target] ??= visibleFrom(moves[target] ?? [], waits[target] ?? false)
  return {
    starts,
    edges: closures.map((edges) => edges ?? []),
    waits,
    isSilent,
  }
}

interface Raw {
  readonly effects: readonly RunEffect[]
  readonly to: number | null
  readonly end: End | null
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

function explore(behavior: Behavior, setting: Setting) {
  const indexes = new Map<string, number>()
  const states: Control[] = []
  const indexOf = (state: Control): number => {
    let index = indexes.get(state.key)
    if (index === undefined) {
      index = states.push(state) - 1
      indexes.set(state.key, index)
    }
    return index
  }
  const rawOf = (variant: Variant | Move): Raw => ({
    effects: visibleEffects(variant.effects, setting),
    to: variant.next === null ? null : indexOf(variant.next),
    end: variant.end,
    records: "records" in variant ? variant.records : 0,
    does: "does" in variant ? variant.does : null,
    agent: "agent" in variant ? variant.agent : null,
  })
  const starts = behavior.start().map(rawOf)
  const moves: (readonly Raw[])[] = []
  let steps = 0
  for (let index = 0; index < states.length; index++) {
    const found = behavior.moves(states[index] as Control).map(rawOf)
    steps += found.length
    if (index >= setting.set.maxStates || steps > setting.set.maxStates * stepsPerState)
      throw new TooManyStates()
    moves.push(found)
  }
  return { starts, states, moves }
}

/** Leaves out effects that nothing reads. */
export const visibleEffects = (
  effects: readonly RunEffect[],
  { automaton, countsModelCalls, keys, decides, helps }: Setting,
): readonly RunEffect[] =>
  effects.filter((effect) => {
    switch (effect.type) {
      case "occurs":
        return automaton.reads(effect.occurrence)
      case "meter":
        return countsModelCalls
      case "write":
        return keys.has(effect.key)
      case "condition":
        return decides(effect.source)
      case "hide":
      case "release":
        return effect.keys.length > 0
      case "heard":
        return false
      case "function":
        return (
          effect.use.capability !== null || effect.use.before !== undefined || helps(effect.use)
        )
    }
  })
