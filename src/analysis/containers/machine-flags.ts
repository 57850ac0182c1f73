import type { ChartMachine, StateMeta } from "../../machines/contract/chart-machine.js"
import { allStates } from "./machine-states.js"
import { transitionLists } from "../../machines/contract/chart-transitions.js"
import type { Setting } from "../behavior/setting.js"

/**
 * The counters and flags of a machine in the model checker, for example `{ "loop pipeline.rounds":
 * 2 }`. They count loop iterations, handoffs and cycles of the root agent, and store the active
 * team members and escalations. A missing entry has the value 0.
 */
export type Flags = Readonly<Record<string, number | string>>

/** Returns the counters and flags of a machine without the given keys. */
export const without = (flags: Flags, ...keys: readonly string[]): Flags =>
  Object.fromEntries(Object.entries(flags).filter(([key]) => !keys.includes(key)))

/**
 * Sets flags and removes flags with the value 0. The result is sorted by name, so that equal flags
 * have the same JSON text.
 */
export const withFlags = (flags: Flags, changes: Flags): Flags =>
  Object.fromEntries(
    Object.entries({ ...flags, ...changes })
      .filter(([, value]) => value !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

const resetStatesByMachine = new WeakMap<ChartMachine, ReadonlySet<string>>()

/**
 * Returns the state paths of the handoff teams and loops in a machine. When the machine enters a
 * team or loop, it resets the flags of this team or loop, such as its counter.
 */
function resetStates(machine: ChartMachine): ReadonlySet<string> {
  let places = resetStatesByMachine.get(machine)
  if (places === undefined) {
    places = new Set(
      [...allStates(machine).values()]
        .flatMap(({ entry = [] }) => entry)
        .concat(
          transitionLists(machine).flatMap(({ transitions }) =>
            transitions.flatMap(({ actions = [] }) => actions),
          ),
        )
        .flatMap(({ type, params }) =>
          type === "enterTeam" || type === "enterLoop" ? [String(params?.["place"])] : [],
        ),
    )
    resetStatesByMachine.set(machine, places)
  }
  return places
}

/**
 * Removes the flags of handoff teams and loops that are not active in a state. Their values are
 * irrelevant, because the machine resets them before it reads them again.
 */
export function liveFlags(flags: Flags, path: string, machine: ChartMachine): Flags {
  const isDead = (key: string): boolean => {
    const place = key.slice(key.indexOf(" ") + 1)
    return (
      place !== key &&
      path !== place &&
      !path.startsWith(`${place}.`) &&
      resetStates(machine).has(place)
    )
  }
  const keys = Object.keys(flags)
  return keys.some(isDead) ? without(flags, ...keys.filter(isDead)) : flags
}

const maxima = new WeakMap<ChartMachine, ReadonlyMap<string, number>>()

/**
 * Returns the maximum number of iterations of a loop, or null if the loop has no maximum. `place`
 * is the state path of the loop.
 */
export function maximumOf(machine: ChartMachine, place: string): number | null {
  let found = maxima.get(machine)
  if (found === undefined) {
    found = new Map(
      transitionLists(machine).flatMap(({ transitions }) =>
        transitions.flatMap(({ guard }) =>
          guard?.type === "maximumReached"
            ? [[String(guard.params?.["place"]), Number(guard.params?.["max"])] as const]
            : [],
        ),
      ),
    )
    maxima.set(machine, found)
  }
  return found.get(place) ?? null
}

/**
 * Returns whether a counter with the maximum `max` is counted exactly by the model checker.
 * Counters with a higher maximum than `largestCounter` are not counted.
 */
export const isExact = (max: number | null, { largestCounter }: Setting): boolean =>
  max !== null && max <= largestCounter

/**
 * Returns the flags after an agent has escalated. In the adk dialect, all loops that enclose the
 * agent are marked as escalated.
 */
export const noteEscalation = (flags: Flags, meta: StateMeta | null): Flags =>
  withFlags(flags, {
    escalates: 1,
    ...Object.fromEntries((meta?.loops ?? []).map((loop) => [`escalated ${loop}`, 1])),
  })

/**
 * Removes the stored result of a condition. The result is valid only for the transitions that
 * directly follow the condition.
 */
export const withoutCheck = (flags: Flags): Flags => {
  if (flags["check"] === undefined) return flags
  const { check: _, ...others } = flags
  return others
}

/**
 * Returns the possible flags of the root machine at the start of a run. The flags store which agent
 * is active. If the session is not new, the run can start with any agent of the root's handoff team
 * that can keep the conversation.
 */
export const sessionStarts = (machine: ChartMachine, { set }: Setting): readonly Flags[] =>
  set.assume.session === "new" ? [{}] : [{}, ...activeMembers(machine)]

/** Returns whether a run that continues a session can start with another agent than a new one. */
export const hasSessionStarts = (machine: ChartMachine): boolean =>
  activeMembers(machine).length > 0

const activeMembers = (machine: ChartMachine): readonly Flags[] =>
  [...allStates(machine).values()].flatMap(({ always = [] }) =>
    always.flatMap(({ guard }) =>
      guard?.type === "activeIs"
        ? [{ [`active ${String(guard.params?.["team"])}`]: String(guard.params?.["member"]) }]
        : [],
    ),
  )
