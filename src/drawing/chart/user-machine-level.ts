import { isJsonObject } from "../../machines/data/json-object.js"
import type { UserState, UserTransition } from "../../machines/contract/host/user-machine.js"
import type { Arrow, Level, PictureState } from "../picture/picture.js"
import type { StateNames } from "./state-names.js"

interface Reading {
  readonly names: StateNames
  /**
   * Id of each drawn state in the drawing, by the path of the state in the machine, for example
   * `payment.charging`.
   */
  readonly ids: Map<string, string>
  /**
   * The arrows between the direct children of each state, by the path of this state. The path of
   * the machine is `""`.
   */
  readonly arrows: Map<string, Arrow[]>
  /**
   * Returns the states and arrows that represent the agent with this name. Returns null if the
   * chart has no such agent.
   */
  readonly agent: (name: string) => Level | null
}

/**
 * Converts the user's state machine of a MachineAgent to states and arrows. Each agent is drawn
 * inside the state that invokes it. Returns an empty list if the chart does not contain the
 * machine.
 */
export function userMachineLevels(
  machine: unknown,
  names: StateNames,
  agent: (name: string) => Level | null,
): readonly Level[] {
  if (!isState(machine)) return []
  const reading: Reading = { names, ids: new Map(), arrows: new Map(), agent }
  nameStates(machine, "", reading)
  readArrows(machine, "", reading)
  return levelsOf(machine, "", reading)
}

const below = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

const statesOf = ({ states = {} }: UserState): readonly (readonly [string, UserState])[] =>
  Object.entries(states).filter(([, state]) => isState(state))

/**
 * Returns whether a value is a state of a user's machine. The value is checked, because a user may
 * have edited the chart.
 */
const isState = (value: unknown): value is UserState =>
  isJsonObject(value) && typeof value["type"] === "string"

function nameStates(state: UserState, path: string, reading: Reading): void {
  for (const [key, inner] of statesOf(state)) {
    const childPath = below(path, key)
    if (inner.type !== "final") reading.ids.set(childPath, reading.names.next(key))
    nameStates(inner, childPath, reading)
  }
}

function levelsOf(state: UserState, path: string, reading: Reading): readonly Level[] {
  const inner = statesOf(state)
  if (inner.length === 0) return []
  const drawn = ([key, child]: readonly [string, UserState]): readonly PictureState[] => {
    const childPath = below(path, key)
    const id = reading.ids.get(childPath)
    return id === undefined ? [] : [drawState(key, child, childPath, id, reading)]
  }
  if (state.type === "parallel")
    return inner.map((region): Level => ({ states: drawn(region), arrows: [] }))
  return [{ states: inner.flatMap(drawn), arrows: reading.arrows.get(path) ?? [] }]
}

function drawState(
  key: string,
  state: UserState,
  path: string,
  id: string,
  reading: Reading,
): PictureState {
  const invoked = (state.invokes ?? []).map(({ src }) => ({ src, agent: reading.agent(src) }))
  const calls = invoked.flatMap(({ src, agent }) => (agent === null ? [src] : []))
  const agents = invoked.flatMap(({ agent }) => agent ?? [])
  return {
    id,
    look: state.type === "history" ? "choice" : "MachineAgent",
    title: key,
    lines: calls.length === 0 ? [] : [`calls ${calls.join(", ")}`],
    regions: [...levelsOf(state, path, reading), ...agents],
  }
}

function readArrows(state: UserState, path: string, reading: Reading): void {
  if (state.initial !== undefined && state.type === "compound")
    addArrow(reading, path, {
      from: null,
      to: reading.ids.get(below(path, state.initial)) ?? null,
      labels: [],
    })
  for (const transition of state.transitions ?? [])
    for (const target of transition.targets ?? [])
      drawTransition(path, target, labelOf(transition, state), reading)
  for (const [key, inner] of statesOf(state)) readArrows(inner, below(path, key), reading)
}

/**
 * Adds the arrow of a transition between two state paths. Arrows only connect siblings. For a
 * transition from `a.x` to `b.y`, the arrow leads from `a` to `b`.
 */
function drawTransition(
  path: string,
  target: string,
  labels: readonly string[],
  reading: Reading,
): void {
  const [from, to] = [path.split("."), target.split(".")]
  let shared = 0
  while (shared < from.length - 1 && shared < to.length - 1 && from[shared] === to[shared]) shared++
  const level = from.slice(0, shared).join(".")
  const source = reading.ids.get(from.slice(0, shared + 1).join("."))
  if (source === undefined) return
  addArrow(reading, level, {
    from: source,
    to: reading.ids.get(to.slice(0, shared + 1).join(".")) ?? null,
    labels,
  })
}

/**
 * Adds an arrow to the children of the state at path `level`. If an arrow between the same two
 * states exists, adds the labels to this arrow.
 */
function addArrow({ arrows }: Reading, level: string, arrow: Arrow): void {
  const known = arrows.get(level) ?? []
  const same = known.findIndex(({ from, to }) => from === arrow.from && to === arrow.to)
  const other = known[same]
  arrows.set(
    level,
    other === undefined
      ? [...known, arrow]
      : known.with(same, { ...other, labels: [...new Set([...other.labels, ...arrow.labels])] }),
  )
}

function labelOf({ event, guard }: UserTransition, { invokes = [] }: UserState): readonly string[] {
  // The name of an actor is more readable than the id that XState generates for it.
  const names = new Map(invokes.map(({ id, src }) => [id, src]))
  const name = eventName(event, (id) => names.get(id) ?? id)
  const condition = guard === undefined ? "" : `[${guard}]`
  const label = [name, condition].filter((part) => part !== "").join(" ")
  return label === "" ? [] : [label]
}

/**
 * Returns a readable name for an event type of XState. For example,
 * `xstate.after.5000.machine.wait` becomes `after 5000 ms`.
 */
function eventName(event: string, actor: (id: string) => string): string {
  const [, kind, rest = ""] =
    /^xstate\.(after|done\.actor|error\.actor|done\.state|snapshot)\.(.*)$/.exec(event) ?? [
      null,
      "",
      "",
    ]
  switch (kind) {
    case "after": {
      const delay = rest.split(".")[0] ?? ""
      return /^\d+$/.test(delay) ? `after ${delay} ms` : `after ${delay}`
    }
    case "done.actor":
      return `done ${actor(rest)}`
    case "error.actor":
      return `error ${actor(rest)}`
    case "snapshot":
      return `snapshot ${actor(rest)}`
    case "done.state":
      return "done"
    default:
      return event
  }
}
