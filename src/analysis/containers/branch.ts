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
    const queue: Silent[] = first.map((raw) => ({ raw, records: 0, told: [], before: null }))
    // Steps cost 0 or more records; a state is visited again only if it is reached with fewer.
    for (let index = 0; index < queue.length; index++) {
      const reached = queue[index] as Silent
      const { raw, records, told } = reached
      const sum = records + raw.records
      const words = raw.does === null ? told : [...told, { does: raw.does, agent: raw.agent }]
      const changesPlace = countsWaiting && raw.to !== null && waits[raw.to] !== isWaiting
      if (raw.effects.length === 0 && raw.to !== null && !changesPlace) {
        const before = best.get(raw.to)
        if (before !== undefined && before <= sum) continue
        best.set(raw.to, sum)
        for (const next of moves[raw.to] ?? [])
          queue.push({ raw: next, records: sum, told: words, before: reached })
        continue
      }
      const edge: BranchEdge = {
        effects: [{ type: "steps", visible: raw.effects, all: effectsUpTo(reached) }],
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
  const isSilent = all.every(
    ({ effects, to }) => visibleEffects(effects, setting).length === 0 && to === null,
  )
  // Other branches can make steps between the start of a branch and its first step that matters.
  const starts = isSilent
    ? all
    : found.starts.map(({ effects, all: every, to, end, records }) => ({
        effects: [{ type: "steps" as const, visible: effects, all: every }],
        to,
        end,
        records,
        told: [],
      }))
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

/** A step after silent steps. */
interface Silent {
  readonly raw: Raw
  readonly records: number
  readonly told: readonly Told[]
  readonly before: Silent | null
}

function effectsUpTo(last: Silent): readonly RunEffect[] {
  const steps: (readonly RunEffect[])[] = []
  for (let step: Silent | null = last; step !== null; step = step.before) steps.push(step.raw.all)
  return steps.reverse().flat()
}

interface Raw {
  /** The effects that matter, and all effects. */
  readonly effects: readonly RunEffect[]
  readonly all: readonly RunEffect[]
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
    all: variant.effects,
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
export function visibleEffects(
  effects: readonly RunEffect[],
  setting: Setting,
): readonly RunEffect[] {
  const found: RunEffect[] = []
  for (const effect of effects)
    if (effect.type === "steps") found.push(...effect.visible)
    else if (isVisible(effect, setting)) found.push(effect)
  return found
}

function isVisible(
  effect: Exclude<RunEffect, { type: "steps" }>,
  { automaton, countsModelCalls, keys, decides, helps }: Setting,
): boolean {
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
    case "act":
    case "says":
      return false
    case "function":
      return effect.use.capability !== null || effect.use.before !== undefined || helps(effect.use)
  }
}
