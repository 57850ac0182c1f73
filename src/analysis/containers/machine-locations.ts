import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { Frame } from "../../policies/occurrence.js"
import type { NestedLocation } from "../behavior/setting.js"
import { parentOf, pathsTo } from "./machine-states.js"

/** Returns a function that converts the path of a state to its location in the run. */
export function machineLocations(
  states: ReadonlyMap<string, ChartState>,
  root: string,
  location: NestedLocation,
): (path: string) => NestedLocation {
  const locations = new Map<string, NestedLocation>()

  /** Returns the location of a state, with its enclosing agents from the outside to the inside. */
  const locationOf = (path: string): NestedLocation => {
    let found = locations.get(path)
    if (found === undefined) {
      const frames: Frame[] = []
      for (const around of pathsTo(path, root)) {
        const { meta } = states.get(around) ?? {}
        if (meta === undefined || meta.callbacks === true || meta.team === true) continue
        frames.push(
          ...membersAbove(around, meta.path).map((agent) => ({
            id: `${location.id}/${around} of ${agent}`,
            agent,
            tool: null,
          })),
        )
        frames.push({ id: `${location.id}/${around}`, agent: meta.agent, tool: null })
      }
      found = {
        id: `${location.id}/${path}`,
        within: [...location.within, ...frames],
        isHidden: location.isHidden,
        countsWaiting: location.countsWaiting,
        reportsPauses: true,
      }
      locations.set(path, found)
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

  return locationOf
}
