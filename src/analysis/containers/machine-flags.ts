import type { ChartMachine, StateMeta } from "../../machines/contract/chart-machine.js"
import { allStates } from "./machine-states.js"
import { transitionLists } from "../../machines/contract/chart-transitions.js"
import type { Setting } from "../behavior/setting.js"

/**
 * What a machine remembers besides its state: iterations of loops, handoffs and active members of
 * teams, escalations, cycles of the root. Absent entries are 0.
 */
export type Flags = Readonly<Record<string, number | string>>

/** Returns flags without some of them. */
export const without = (flags: Flags, ...keys: readonly string[]): Flags =>
  Object.fromEntries(Object.entries(flags).filter(([key]) => !keys.includes(key)))

/** Flags are kept in the order of their names, so that equal flags have equal texts. */
export const withFlags = (flags: Flags, changes: Flags): Flags =>
  Object.fromEntries(
    Object.entries({ ...flags, ...changes })
      .filter(([, value]) => value !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

const entered = new WeakMap<ChartMachine, ReadonlySet<string>>()

/** Returns the teams and loops that forget everything when a machine enters them. */
function forgetful(machine: ChartMachine): ReadonlySet<string> {
  let places = entered.get(machine)
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
    entered.set(machine, places)
  }
  return places
}

/** Leaves out flags that nothing reads in a state, because their team or loop is not active. */
export function liveFlags(flags: Flags, at: string, machine: ChartMachine): Flags {
  const isDead = (key: string): boolean => {
    const place = key.slice(key.indexOf(" ") + 1)
    return (
      place !== key && at !== place && !at.startsWith(`${place}.`) && forgetful(machine).has(place)
    )
  }
  const keys = Object.keys(flags)
  return keys.some(isDead) ? without(flags, ...keys.filter(isDead)) : flags
}

const maxima = new WeakMap<ChartMachine, ReadonlyMap<string, number>>()

/** Returns the maximum of a loop, or null if it has none. */
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

/** Returns whether a counter with this maximum is exact. */
export const isExact = (max: number | null, { largestCounter }: Setting): boolean =>
  max !== null && max <= largestCounter

/** Notes that an agent escalated, for all loops around it (adk). */
export const noteEscalation = (flags: Flags, meta: StateMeta | null): Flags =>
  withFlags(flags, {
    escalates: 1,
    ...Object.fromEntries((meta?.loops ?? []).map((loop) => [`escalated ${loop}`, 1])),
  })

/** The result of a condition only counts for the transitions that follow at once. */
export const withoutCheck = (flags: Flags): Flags => {
  if (flags["check"] === undefined) return flags
  const { check: _, ...others } = flags
  return others
}

/**
 * Returns what the root remembers at the start of a run. A run that continues a session can begin
 * with each member of the root's team that keeps the conversation.
 */
export function sessionStarts(machine: ChartMachine, { set }: Setting): readonly Flags[] {
  if (set.assume.session === "new") return [{}]
  const members = [...allStates(machine).values()].flatMap(({ always = [] }) =>
    always.flatMap(({ guard }) =>
      guard?.type === "activeIs"
        ? [{ [`active ${String(guard.params?.["team"])}`]: String(guard.params?.["member"]) }]
        : [],
    ),
  )
  return [{}, ...members]
}
