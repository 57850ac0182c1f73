import type {
  ChartMachine,
  ChartState,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { Behavior, RunEffect, End, Move, Variant } from "../behavior/behavior.js"
import {
  endVariant,
  endWith,
  nextVariant,
  occurrenceEffect,
  recordedMove,
} from "../behavior/behavior.js"
import type { MachineControl } from "./machine-control.js"
import {
  checksCondition,
  containsMessage,
  flagsAfterBranches,
  machineControl,
  collectWrites,
} from "./machine-control.js"
import type { Flags } from "./machine-flags.js"
import { applyActions } from "./machine-actions.js"
import { sessionStarts, without, withoutCheck } from "./machine-flags.js"
import { chooseTransitions } from "./machine-guards.js"
import { allStates, commonPaths, parentOf, pathsTo, statesOf } from "./machine-states.js"
import { machineLocations } from "./machine-locations.js"
import { regionsBehavior } from "./parallel-behavior.js"
import { invokedBehavior } from "./invoked-behavior.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"

/**
 * Maximum number of states through which a machine passes in one step of the model checker. In a
 * loop in which all agents are skipped, a step without this limit would never end.
 */
const maxPassed = 6

/**
 * Returns the transition system (all possible executions) of a compiled machine or of one of its
 * parallel regions. `root` is the path of the region, or `""` for the whole machine.
 */
export function machineBehavior(
  machine: ChartMachine,
  root: string,
  location: NestedLocation,
  setting: Setting,
): Behavior<MachineControl> {
  const states = statesOf(machine, root)
  const children = new Map<string, Behavior>()

  const stateAt = (path: string): ChartState => states.get(path) as ChartState

  const locationOf = machineLocations(states, root, location)

  const childAt = (path: string): Behavior => {
    let child = children.get(path)
    if (child === undefined) {
      const state = stateAt(path)
      child =
        state.type === "parallel"
          ? regionsBehavior(path, state, locationOf(path), setting, (region, regionLocation) =>
              machineBehavior(machine, region, regionLocation, setting),
            )
          : invokedBehavior(state, locationOf(path), setting)
      children.set(path, child)
    }
    return child
  }

  let passed = 0
  let hasChecked = false

  const pathOf = (target: string): string => target.slice(machine.id.length + 2)

  const isHere = (path: string): boolean =>
    root === "" || path === root || path.startsWith(`${root}.`)

  /** Takes each possible transition in `transitions`. Returns the machine's next states. */
  const take = (
    from: string,
    transitions: Transitions,
    flags: Flags,
    end: End,
    effects: readonly RunEffect[],
  ): readonly Variant<MachineControl>[] =>
    chooseTransitions(transitions, flags, end, setting).flatMap((transition) => {
      const actions = transition.actions ?? []
      if (transition.target === undefined) return []
      const target = pathOf(transition.target)
      const escape = { target: transition.target, actions, end }
      if (!isHere(target)) return [endVariant({ ...end, escape }, effects)]
      return applyActions(actions, withoutCheck(flags), end, context).flatMap((applied) =>
        enter(target, from, applied.flags, [...effects, ...applied.effects], end),
      )
    })

  const context = {
    machine,
    metaOf: (path: string) => allStates(machine).get(path)?.meta ?? null,
    locationOf,
    setting,
  }

  /** Enters the state `target` from another state. Enters its parent states first. */
  const enter = (
    target: string,
    from: string | null,
    flags: Flags,
    effects: readonly RunEffect[],
    end: End,
  ): readonly Variant<MachineControl>[] => {
    const known = new Set(from === null ? pathsTo(root, "") : commonPaths(from, target))
    const entered = pathsTo(target, root).filter((path) => !known.has(path))
    return enterStates(target, entered, { flags, effects }, end)
  }

  /**
   * Enters the states in `entering`, which end with the target. A step evaluates at most one
   * condition, because the result determines the next state.
   */
  const enterStates = (
    target: string,
    entering: readonly string[],
    { flags, effects }: Entered,
    end: End,
  ): readonly Variant<MachineControl>[] => {
    const isCheck = entering.some((path) => checksCondition(stateAt(path)))
    if (isCheck && hasChecked)
      return [nextVariant(machineControl(machine, target, null, flags, { end, entering }), effects)]
    const before = hasChecked
    hasChecked ||= isCheck
    let variants: readonly Entered[] = [{ flags, effects }]
    for (const path of entering) variants = entryOf(path, variants)
    const found = variants.flatMap((variant) => descend(target, variant, end))
    hasChecked = before
    return found
  }

  interface Entered {
    readonly flags: Flags
    readonly effects: readonly RunEffect[]
  }

  const entryOf = (path: string, variants: readonly Entered[]): readonly Entered[] =>
    variants.flatMap((variant) =>
      applyActions(stateAt(path).entry ?? [], variant.flags, endWith("done"), context).map(
        ({ flags, effects }) => ({ flags, effects: [...variant.effects, ...effects] }),
      ),
    )

  /** Enters the initial states inside an entered state until an atomic state is reached. */
  const descend = (
    path: string,
    entered: Entered,
    end: End,
  ): readonly Variant<MachineControl>[] => {
    const { flags, effects } = entered
    if (passed >= maxPassed)
      return [
        nextVariant(machineControl(machine, path, null, flags, { end, entering: [] }), effects),
      ]
    passed++
    const found = rest(path, entered, end)
    passed--
    return found
  }

  const rest = (
    path: string,
    { flags, effects }: Entered,
    end: End,
  ): readonly Variant<MachineControl>[] => {
    const state = stateAt(path)
    if (state.type === "parallel")
      return childAt(path)
        .start()
        .flatMap((variant) => wrap(path, variant, flags, effects))
    if (state.states !== undefined) {
      const first = `${path}.${state.initial ?? ""}`
      return enterStates(first, [first], { flags, effects }, end)
    }
    if (state.type === "final") return finishAt(path, flags, effects, end)
    if (state.invoke !== undefined)
      return childAt(path)
        .start()
        .flatMap((variant) => wrap(path, variant, flags, effects))
    if (state.always !== undefined) return take(path, state.always, flags, end, effects)
    return [nextVariant(machineControl(machine, path, null, flags), effects)]
  }

  /** Handles a final state, which ends the region, the machine or the enclosing compound state. */
  const finishAt = (
    path: string,
    flags: Flags,
    effects: readonly RunEffect[],
    end: End,
  ): readonly Variant<MachineControl>[] => {
    const parent = parentOf(path)
    if (parent === root) {
      const last = path.slice(path.lastIndexOf(".") + 1)
      const finished = stateAt(path).entry?.find(
        ({ type }) => type === "finishMachine" || type === "finishBranch",
      )
      const named = finished?.params?.["signal"] ?? finished?.params?.["status"] ?? last
      // The compiler names final states after outcomes.
      const signal = named as End["signal"]
      return [
        endVariant(
          endWith(signal, {
            escalates: flags["escalates"] === 1,
            answeredByTool: end.answeredByTool,
          }),
          effects,
        ),
      ]
    }
    return take(parent, stateAt(parent).onDone ?? [], flags, end, effects)
  }

  /** Returns the steps of the machine after a step of its invoked actor or its parallel regions. */
  const wrap = (
    path: string,
    variant: Variant,
    given: Flags,
    effects: readonly RunEffect[],
  ): readonly Variant<MachineControl>[] => {
    const all = [...effects, ...variant.effects]
    const flags = variant.effects.some(containsMessage) ? without(given, "cycles") : given
    if (variant.next !== null)
      return [nextVariant(machineControl(machine, path, variant.next, flags), all)]
    const end = variant.end ?? endWith("failed")
    const state = stateAt(path)
    const { escape } = end
    if (escape !== null) {
      const target = pathOf(escape.target)
      if (!isHere(target)) return [endVariant(end, all)]
      const dropped = occurrenceEffect({
        kind: "dropped",
        name: `${location.id}/${path}.`,
        agent: "",
        within: [],
      })
      return applyActions(
        escape.actions,
        flags,
        { ...escape.end, wrote: end.wrote },
        context,
      ).flatMap((applied) =>
        enter(target, path, applied.flags, [...all, dropped, ...applied.effects], escape.end),
      )
    }
    const now =
      state.type === "parallel" ? flagsAfterBranches(flags, end, context.metaOf(path)) : flags
    return take(path, state.invoke?.onDone ?? state.onDone ?? [], now, end, all)
  }

  const stepsOf = (state: MachineControl): readonly Move<MachineControl>[] => {
    if (state.inner !== null)
      return childAt(state.path)
        .moves(state.inner)
        .flatMap((move) => {
          const { records, does, agent } = move
          const variants = wrap(state.path, move, state.flags, [])
          return variants.map((variant) => ({ ...variant, records, does, agent }))
        })
    if (state.passing !== null) {
      const { end, entering } = state.passing
      const here: Entered = { flags: state.flags, effects: [] }
      const found =
        entering.length === 0
          ? rest(state.path, here, end)
          : enterStates(state.path, entering, here, end)
      return found.map((variant) => ({ ...variant, records: 0, does: null, agent: null }))
    }
    const said = stateAt(state.path).on?.["user.said"]
    if (said === undefined) return []
    const message = { by: "person", agent: null, tool: null, does: "message" } as const
    return take(state.path, said, state.flags, endWith("done"), []).map((variant) =>
      recordedMove(variant, message, null, "The user sends another message."),
    )
  }

  const isRoot = root === "" && location.within.length === 0
  const whole: Behavior<MachineControl> = {
    start: () =>
      root !== ""
        ? enterStates(root, [root], { flags: {}, effects: [] }, endWith("done"))
        : (isRoot ? sessionStarts(machine, setting) : [{}]).flatMap((flags) =>
            enter(machine.initial, null, flags, [], endWith("done")),
          ),
    moves: stepsOf,
    waits: (state) =>
      state.inner === null ? state.passing === null : childAt(state.path).waits(state.inner),
  }
  return isRoot || !setting.readsWrites ? whole : collectWrites(whole, machine)
}
