import type { Frame } from "../occurrence.js"
import type { ChartNames } from "./chart-names.js"

/**
 * Matches numbers that a run adds to an agent name in a path, such as `~2`, `[3]`, `@2` and `#0`.
 * For example, `[3]` is the number of a loop iteration.
 */
const marks = /(?:~\d+|\[\d+\]|@\d+|#\d+)+$/u

/**
 * Maximum number of cached paths. A small number is sufficient, because a run uses few paths at the
 * same time.
 */
const maxPaths = 256

/**
 * Finds the agents and tool calls that enclose an event, outermost first. They are derived from the
 * path of the event. Each agent or tool call has the same id at its start and at its end.
 * Therefore, ids of loops omit the iteration number, and ids of tool calls omit the number of the
 * model response. If a graph node runs again, its id contains the number of the run.
 */
export class PathFrames {
  readonly #names: ChartNames
  readonly #known = new Map<string, readonly Frame[]>()

  constructor(names: ChartNames) {
    this.#names = names
  }

  of(path: string): readonly Frame[] {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const end = path.lastIndexOf("/")
    const own = this.#frameOf(path, path.slice(end + 1))
    const frames = end === -1 ? [own] : this.of(path.slice(0, end)).concat(own)
    if (this.#known.size >= maxPaths) this.#known.clear()
    this.#known.set(path, frames)
    return frames
  }

  #frameOf(path: string, segment: string): Frame {
    if (segment.startsWith("tool:"))
      return { id: path.replace(/#\d+$/u, ""), agent: null, tool: null }
    // Fast path: most segments are agent names without a suffix.
    if (!/[~[@#]/u.test(segment)) return { id: path, agent: segment, tool: null }
    const agent = segment.replace(marks, "")
    const id = this.#names.ofStates.numbered.has(agent) ? path.replace(/\[\d+\]$/u, "") : path
    return { id, agent, tool: null }
  }
}

/** Returns whether a path is the path of a tool call, such as `desk/tool:call_0_0#0`. */
export const isCallPath = (path: string): boolean =>
  path.slice(path.lastIndexOf("/") + 1).startsWith("tool:")
