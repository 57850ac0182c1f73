import type { Behavior, Control, RunEffect, End, Move, Variant } from "../behavior/behavior.js"
import type { Setting } from "../behavior/setting.js"
import { startsActor } from "../behavior/starts-actor.js"
import { equalStates } from "./equal-states.js"
import type { StepDescription } from "./block-step.js"

/**
 * A parallel branch after its steps were reduced to those that are relevant to the policy. All
 * other steps are called silent. They can be omitted, because their order relative to the steps of
 * other branches is irrelevant.
 */
export interface Branch {
  readonly starts: readonly BranchEdge[]
  readonly edges: readonly (readonly BranchEdge[])[]
  /** For each state of the branch, whether the branch waits for a person in this state. */
  readonly waits: readonly boolean[]
  /**
   * For each state of the branch, the paths to states in which the branch waits for a person. The
   * paths contain only silent steps, which are irrelevant to the policy.
   */
  readonly pauses: readonly (readonly BranchEdge[])[]
  /** The equivalence class of each state. States of a class have the same next steps and ends. */
  readonly classes: readonly number[]
  /**
   * Whether the branch has no step that is relevant to the policy. Of such a branch, only the
   * possible results at its end are explored.
   */
  readonly isSilent: boolean
  /**
   * Whether the branch starts with an agent that runs as a separate actor, and not with a
   * container.
   */
  readonly startsActor: boolean
}

/**
 * A step of a reduced branch. It combines any number of silent steps, which are irrelevant to the
 * policy, with one relevant step to a state or an end. `effects` includes messages that the user
 * sent during the silent steps.
 */
export interface BranchEdge {
  readonly effects: readonly RunEffect[]
  readonly to: number | null
  readonly end: End | null
  readonly records: number
  readonly descriptions: readonly StepDescription[]
}

/**
 * Explores a parallel branch separately and reduces it to the steps that are relevant to the
 * policy. The keys that branches write have unknown values in the whole block. If `countsWaiting`
 * is true, steps to states in which the branch waits for a person are kept too.
 */
export function reduceBranch(behavior: Behavior, setting: Setting, countsWaiting: boolean): Branch {
  const { starts: first, states, moves } = explore(behavior, setting)
  const waits = states.map((state) => countsWaiting && behavior.waits(state))
  const edges: (readonly BranchEdge[])[] = states.map(() => [])
  const pauses: (readonly BranchEdge[])[] = states.map(() => [])
  const targets = new Set<number>()
  const closeOver = (steps: readonly Raw[]): Closure => {
    const closure = silentClosure(steps, moves, waits)
    for (const { to } of [...closure.edges, ...closure.pauses]) if (to !== null) targets.add(to)
    return closure
  }
  const whole = silentClosure(first, moves, waits)
  const isSilent = whole.edges.every(
    ({ effects, to }) => to === null && visibleEffects(effects, setting).every(isUserMessage),
  )
  const isActor = first.every(({ all }) => startsActor(all, setting))
  const own = { edges, waits, pauses, isSilent, startsActor: isActor }
  if (isSilent) return { ...own, starts: whole.edges, classes: [] }
  // Other branches can make steps between the start of a branch and its first step that matters.
  const starts = first.map((raw) =>
    edgeOf({ raw, records: 0, descriptions: [], hasMessage: raw.hasMessage, before: null }),
  )
  for (const { to } of starts) if (to !== null) targets.add(to)
  // A Set iterates over states that are added during the iteration.
  for (const target of targets) {
    const closure = closeOver(moves[target] ?? [])
    edges[target] = closure.edges
    pauses[target] = closure.pauses
  }
  return { ...own, starts, classes: equalStates(edges, pauses, waits) }
}

/**
 * Adds a state in which the branch runs, if the branch has no relevant step. Otherwise returns it
 * unchanged. The state is needed if the end of the branch is relevant, for example because it
 * starts other graph nodes.
 */
export const withRunningState = (branch: Branch): Branch =>
  branch.isSilent
    ? {
        starts: [{ effects: [], to: 0, end: null, records: 0, descriptions: [] }],
        edges: [branch.starts],
        waits: [true],
        pauses: [[]],
        classes: [0],
        isSilent: false,
        startsActor: branch.startsActor,
      }
    : branch

export const isUserMessage = ({ type }: RunEffect): boolean => type === "userMessage"

interface Closure {
  readonly edges: readonly BranchEdge[]
  readonly pauses: readonly BranchEdge[]
}

/**
 * Finds the relevant steps that can be reached through silent steps, which are irrelevant to the
 * policy. For each relevant step, keeps the path with the fewest journal records.
 */
function silentClosure(
  first: readonly Raw[],
  moves: readonly (readonly Raw[])[],
  waits: readonly boolean[],
): Closure {
  const edges = new Map<string, BranchEdge>()
  const pauses = new Map<string, BranchEdge>()
  const best = new Map<string, number>()
  const queue: Silent[] = first.map((raw) => ({
    raw,
    records: 0,
    descriptions: [],
    hasMessage: raw.hasMessage,
    before: null,
  }))
  // Steps cost 0 or more records; a state is visited again only if it is reached with fewer.
  for (let index = 0; index < queue.length; index++) {
    const reached = queue[index] as Silent
    const { raw, hasMessage } = reached
    if (raw.effects.length > 0 || raw.to === null) {
      const edge = edgeOf(reached)
      const key = JSON.stringify([raw.effects, raw.to, raw.end, hasMessage])
      const other = edges.get(key)
      if (other === undefined || other.records > edge.records) edges.set(key, edge)
      continue
    }
    const sum = reached.records + raw.records
    const key = `${raw.to} ${hasMessage}`
    const before = best.get(key)
    if (before !== undefined && before <= sum) continue
    best.set(key, sum)
    const descriptions = descriptionsOf(reached)
    if (waits[raw.to] === true && (pauses.get(key)?.records ?? Infinity) > sum)
      pauses.set(key, edgeOf(reached))
    for (const next of moves[raw.to] ?? [])
      queue.push({
        raw: next,
        records: sum,
        descriptions,
        hasMessage: hasMessage || next.hasMessage,
        before: reached,
      })
  }
  return { edges: [...edges.values()], pauses: [...pauses.values()] }
}

const descriptionsOf = ({ raw, descriptions }: Silent): readonly StepDescription[] =>
  raw.does === null ? descriptions : [...descriptions, { does: raw.does, agent: raw.agent }]

function edgeOf(reached: Silent): BranchEdge {
  const { raw, records, hasMessage } = reached
  const visible: readonly RunEffect[] = hasMessage
    ? [...raw.effects, { type: "userMessage" }]
    : raw.effects
  return {
    effects: [{ type: "steps", visible, all: effectsUpTo(reached) }],
    to: raw.to,
    end: raw.end,
    records: records + raw.records,
    descriptions: descriptionsOf(reached),
  }
}

/** A step that can be reached through silent (policy-irrelevant) steps only. */
interface Silent {
  readonly raw: Raw
  readonly records: number
  readonly descriptions: readonly StepDescription[]
  /** Whether the user has sent a message in this step or in the silent steps before it. */
  readonly hasMessage: boolean
  readonly before: Silent | null
}

function effectsUpTo(last: Silent): readonly RunEffect[] {
  const steps: (readonly RunEffect[])[] = []
  for (let step: Silent | null = last; step !== null; step = step.before) steps.push(step.raw.all)
  return steps.reverse().flat()
}

interface Raw {
  /** The policy-relevant effects without user messages (`hasMessage`). `all` has every effect. */
  readonly effects: readonly RunEffect[]
  readonly all: readonly RunEffect[]
  readonly hasMessage: boolean
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
  const rawOf = (variant: Variant | Move): Raw => {
    const visible = visibleEffects(variant.effects, setting)
    return {
      effects: visible.filter((effect) => !isUserMessage(effect)),
      all: variant.effects,
      hasMessage: visible.some(isUserMessage),
      to: variant.next === null ? null : indexOf(variant.next),
      end: variant.end,
      records: "records" in variant ? variant.records : 0,
      does: "does" in variant ? variant.does : null,
      agent: "agent" in variant ? variant.agent : null,
    }
  }
  const starts = shortest(behavior.start().map(rawOf))
  const moves: (readonly Raw[])[] = []
  for (let index = 0; index < states.length; index++) {
    setting.effort.countState()
    const found = behavior.moves(states[index] as Control)
    setting.effort.countSteps(found.length)
    moves.push(shortest(found.map(rawOf)))
  }
  return { starts, states, moves }
}

/**
 * Removes equal steps, which have the same relevant effects and the same next state or end. Keeps
 * the step with the fewest journal records.
 */
function shortest(steps: readonly Raw[]): readonly Raw[] {
  const found = new Map<string, Raw>()
  for (const step of steps) {
    const { effects, hasMessage, to, end } = step
    const meaning = end === null && effects.length === 0 ? "" : JSON.stringify([effects, end])
    const key = `${to} ${hasMessage} ${meaning}`
    if ((found.get(key)?.records ?? Infinity) > step.records) found.set(key, step)
  }
  return [...found.values()]
}

/** Returns only the effects that can influence the policy, a condition or a counter. */
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
  { activities, automaton, countsCycles, countsModelCalls, keys, decides, helps }: Setting,
): boolean {
  switch (effect.type) {
    case "occurs": {
      const { kind, name, activity } = effect.occurrence
      if (!automaton.reads(effect.occurrence)) return false
      if (kind === "dropped") return [...activities].some((id) => id.startsWith(name))
      if (activity !== undefined) activities.add(activity.id)
      return true
    }
    case "meter":
      return countsModelCalls
    case "write":
    case "reported":
      return keys.has(effect.key)
    case "condition":
      return decides(effect.source)
    case "hide":
    case "release":
      return effect.keys.length > 0
    case "userMessage":
      return countsCycles
    case "act":
    case "items":
    case "fixedText":
      return false
    case "function":
      return effect.use.capability !== null || effect.use.before !== undefined || helps(effect.use)
  }
}
