import { violatedState } from "../../policies/automaton.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Act } from "../behavior/act.js"
import type { Behavior, End, FunctionUse, RunEffect, Variant } from "../behavior/behavior.js"
import { responseEffect } from "../behavior/behavior.js"
import type { StepDescription } from "../containers/block-step.js"
import { visibleEffects } from "../containers/branch.js"
import type { MachineControl } from "../containers/machine-control.js"
import type { Setting } from "../behavior/setting.js"
import type { KeepLive } from "./live-keys.js"
import { TooManyStates } from "../behavior/search-effort.js"
import type { StateVariables } from "./state-variables.js"
import { effectRules } from "./state-variables.js"
import type { TrackedKeys } from "./tracked-keys.js"

/**
 * The result of a search. `violation` contains paths to violations, starting with the shortest.
 * `safe` means that no run violates the policy, and `limit` that the maximum number of states was
 * exceeded.
 */
export type Exploration =
  | { readonly type: "safe"; readonly states: number }
  | {
      readonly type: "violation"
      readonly states: number
      readonly paths: readonly ProductPath[]
      /**
       * The session state keys that the search tracked. The effects in `paths` include the writes
       * of these keys.
       */
      readonly keys: ReadonlySet<string>
    }
  | { readonly type: "limit"; readonly states: number; readonly busiest: string | null }

export type ProductPath = readonly ProductStep[]

/**
 * One step of a path to a policy violation. It is a step of the chart and of the policy's
 * automaton.
 */
export interface ProductStep extends StepDescription, Pick<StateVariables, "values" | "wrote"> {
  readonly records: number
  readonly occurrences: readonly Occurrence[]
  readonly uses: readonly FunctionUse[]
  /** All effects of this step of the path, including effects that are irrelevant to the policy. */
  readonly effects: readonly RunEffect[]
}

interface ProductState {
  /** The state of the chart. null if the run has ended. */
  readonly control: MachineControl | null
  readonly variables: StateVariables
  readonly key: string
  readonly records: number
  readonly before: ProductState | null
  readonly step: Omit<ProductStep, "values" | "wrote"> | null
}

/**
 * Searches for violations of a policy in the product of a transition system and the policy's
 * automaton. States are explored by their number of journal records, so the first violation is a
 * shortest one. The search stops after `mostPaths` violations.
 */
export function explore(
  behavior: Behavior<MachineControl>,
  setting: Setting,
  keys: TrackedKeys,
  keepLive: KeepLive,
  mostPaths: number,
): Exploration {
  const { automaton, set } = setting
  const applyEffects = effectRules(setting, keys)
  const isSettled = settledStates(setting)
  const seen = new Map<string, number>()
  const buckets: ProductState[][] = []
  const found: ProductState[] = []

  const add = (
    before: ProductState | null,
    first: StateVariables,
    variant: Variant<MachineControl>,
    records: number,
    description: { readonly does: string | null; readonly agent: string | null },
  ): void => {
    const effects =
      variant.end === null ? variant.effects : [...variant.effects, ...endOf(variant.end.signal)]
    const visible = visibleEffects(effects, setting)
    const sum = (before?.records ?? 0) + records
    let step: ProductState["step"] = null
    for (const after of applyEffects(visible, first)) {
      const isViolated = after.automaton === violatedState
      if (!isViolated && (variant.next === null || isSettled(after.automaton))) continue
      const control = variant.next
      const variables: StateVariables =
        control === null ? after : { ...after, values: keepLive(after.values, control.path) }
      const key = keyOf(control, variables)
      const known = seen.get(key)
      // Different paths to the same violation count as different counterexamples.
      if (known !== undefined && known <= sum && !(isViolated && mostPaths > 1)) continue
      seen.set(key, sum)
      step ??= {
        does: description.does ?? "",
        agent: description.agent,
        records,
        occurrences: visible.flatMap((effect) =>
          effect.type === "occurs" ? [effect.occurrence] : [],
        ),
        uses: visible.flatMap((effect) => (effect.type === "function" ? [effect.use] : [])),
        effects,
      }
      const bucket = (buckets[sum] ??= [])
      bucket.push({ control, variables, key, records: sum, before, step })
    }
  }

  const anytime = interruptions(setting)
  let states = 0
  let current: ProductState | null = null

  const followFrom = (state: ProductState): void => {
    current = state
    setting.effort.countState()
    states++
    const from: StateVariables = { ...state.variables, wrote: [] }
    for (const { does, effects } of anytime)
      add(state, from, { effects, next: null, end: null }, 1, { does, agent: null })
    if (state.control === null) return
    const moves = behavior.moves(state.control)
    setting.effort.countSteps(moves.length)
    for (const move of moves) add(state, from, move, move.records, move)
  }

  /** Explores states until enough violations are found or no unexplored states remain. */
  const search = (): void => {
    const [initial] = applyEffects(visibleEffects([occursRun("started")], setting), {
      values: keys.start,
      calls: 0,
      automaton: automaton.start,
      wrote: [],
    })
    if (initial !== undefined)
      for (const variant of behavior.start())
        add(null, initial, variant, 0, { does: "The run starts.", agent: null })
    for (let records = 0; records < buckets.length; records++) {
      const bucket = buckets[records] ?? []
      for (let index = 0; index < bucket.length; index++) {
        const state = bucket[index] as ProductState
        if (state.variables.automaton === violatedState) {
          found.push(state)
          if (found.length >= mostPaths) return
        } else if (seen.get(state.key) === records) followFrom(state)
      }
      buckets[records] = []
    }
  }

  let isLimited = false
  try {
    search()
  } catch (cause) {
    if (!(cause instanceof TooManyStates)) throw cause
    isLimited = true
  }
  if (found.length > 0)
    return { type: "violation", states, paths: found.map(pathTo), keys: setting.keys }
  return isLimited
    ? { type: "limit", states: set.maxStates, busiest: busiestAt(current) }
    : { type: "safe", states }
}

/**
 * Returns a function that tests a state of the policy's automaton. It returns true if the policy
 * can no longer be violated after this state. The search does not continue from such states.
 */
function settledStates({ automaton, policy: { rule, per } }: Setting): (state: string) => boolean {
  // Whether the policy stays satisfied once the event that it requires first has occurred.
  const canBeFulfilled =
    rule.pattern === "onlyAfter" &&
    rule.first !== "approval" &&
    (per.type === "run" || per.type === "agent")
  return (state) =>
    state === automaton.over ||
    (canBeFulfilled && state !== automaton.start && automaton.fulfil(state) === state)
}

const busiestAt = (state: ProductState | null): string | null => state?.step?.agent ?? null

const keyOf = (
  control: MachineControl | null,
  { values, calls, automaton }: StateVariables,
): string => `${control?.key ?? "over"}\n${values.join(",")}\n${calls}\n${automaton}`

/**
 * Returns the steps that are possible in every state, which are the cancellation of the run and its
 * timeout. A step is left out if the policy does not refer to it.
 */
function interruptions({ automaton, chart }: Setting) {
  const stop: Act = { by: "person", agent: null, tool: null, does: "stop" }
  const deadline: Act = { by: "clock", agent: null, ends: "run" }
  const all = [
    { does: "A person stops the run.", act: stop, end: "stopped" },
    ...(chart.settings.maxDurationMs === undefined
      ? []
      : [{ does: "The run takes too long.", act: deadline, end: "limit" }]),
  ]
  return all
    .filter(({ end }) => automaton.reads(runOccurrence(end)))
    .map(({ does, act, end }) => ({ does, effects: [responseEffect(act), occursRun(end)] }))
}

const runOccurrence = (name: string): Occurrence => ({ kind: "run", name, agent: "", within: [] })

const occursRun = (name: string): RunEffect => ({
  type: "occurs",
  occurrence: runOccurrence(name),
})

const endNames: Readonly<Partial<Record<End["signal"], string>>> = {
  failed: "failed",
  limited: "limit",
  stopped: "stopped",
}

const endOf = (signal: End["signal"]): readonly RunEffect[] => [
  occursRun(endNames[signal] ?? "completed"),
]

function pathTo(last: ProductState): ProductPath {
  const path: ProductStep[] = []
  for (let state: ProductState | null = last; state !== null; state = state.before)
    if (state.step !== null) {
      const { values, wrote } = state.variables
      path.push({ ...state.step, values, wrote })
    }
  return path.reverse()
}
