import type { ChartMachine, ChartState } from "../../machines/contract/chart-machine.js"

/**
 * Returns all states of a machine, by path. If `root` is not empty, returns only the state at this
 * path and the states inside it.
 */
export function statesOf(machine: ChartMachine, root: string): ReadonlyMap<string, ChartState> {
  const all = allStates(machine)
  if (root === "") return all
  return new Map([...all].filter(([path]) => path === root || path.startsWith(`${root}.`)))
}

const known = new WeakMap<ChartMachine, ReadonlyMap<string, ChartState>>()

export function allStates(machine: ChartMachine): ReadonlyMap<string, ChartState> {
  let states = known.get(machine)
  if (states === undefined) {
    const found = new Map<string, ChartState>()
    const visit = (path: string, state: ChartState): void => {
      found.set(path, state)
      for (const [key, inner] of Object.entries(state.states ?? {})) visit(`${path}.${key}`, inner)
    }
    for (const [key, state] of Object.entries(machine.states)) visit(key, state)
    states = found
    known.set(machine, states)
  }
  return states
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")))

/** Returns the paths of a state and of its enclosing states below `root`, outermost first. */
export function pathsTo(path: string, root: string): readonly string[] {
  const paths: string[] = []
  for (let ancestor = path; ancestor !== "" && ancestor !== root; ancestor = parentOf(ancestor))
    paths.push(ancestor)
  return paths.reverse()
}

/**
 * Returns the paths of the enclosing states that stay active during a transition from one state to
 * another.
 */
export function commonPaths(from: string, target: string): readonly string[] {
  const around = new Set(pathsTo(parentOf(from), ""))
  return pathsTo(parentOf(target), "").filter((path) => around.has(path))
}
