import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { Frame } from "../../policies/occurrence.js"
import type { RunPlace } from "../behavior/setting.js"
import { parentOf, pathsTo } from "./machine-states.js"

/** Returns a function that converts the path of a state to its location in the run. */
export function machinePlaces(
  states: ReadonlyMap<string, ChartState>,
  root: string,
  place: RunPlace,
): (path: string) => RunPlace {
  const places = new Map<string, RunPlace>()

  /** Returns the location of a state, with its enclosing agents from the outside to the inside. */
  const placeOf = (path: string): RunPlace => {
    let found = places.get(path)
    if (found === undefined) {
      const frames: Frame[] = []
      for (const around of pathsTo(path, root)) {
        const { meta } = states.get(around) ?? {}
        if (meta === undefined || meta.callbacks === true || meta.team === true) continue
        frames.push(
          ...membersAbove(around, meta.path).map((agent) => ({
            id: `${place.id}/${around} of ${agent}`,
            agent,
            tool: null,
          })),
        )
        frames.push({ id: `${place.id}/${around}`, agent: meta.agent, tool: null })
      }
      found = {
        id: `${place.id}/${path}`,
        within: [...place.within, ...frames],
        isHidden: place.isHidden,
        countsWaiting: place.countsWaiting,
        reportsPauses: true,
      }
      places.set(path, found)
    }
    return found
  }

  /**
   * Returns the names of the agents above a member in the agent tree of a handoff team, outermost
   * first.
   */
  const membersAbove = (path: string, agentPath: string): readonly string[] => {
    const team = states.get(parentOf(path))?.meta
    if (team?.team !== true || agentPath === team.path) return []
    return [
      team.agent,
      ...agentPath
        .slice(team.path.length + 1)
        .split("/")
        .slice(0, -1),
    ]
  }

  return placeOf
}
