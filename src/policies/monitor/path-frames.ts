import type { Frame } from "../occurrence.js"

/** Marks that a run adds to the name of an agent in a path: `~2`, `[3]`, `@2` and `#0`. */
const marks = /(?:~\d+|\[\d+\]|@\d+|#\d+)+$/u

/** Number of paths whose frames are kept. A run works in few paths at the same time. */
const mostPaths = 256

/**
 * Returns the activities around an event from its path, outermost first. The frame of a loop does
 * not contain the number of the iteration, and the frame of a tool call does not contain the number
 * of the response, so a frame has the id with which its activity began.
 */
export class PathFrames {
  readonly #known = new Map<string, readonly Frame[]>()

  of(path: string): readonly Frame[] {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const frames = framesOf(path)
    if (this.#known.size >= mostPaths) this.#known.clear()
    this.#known.set(path, frames)
    return frames
  }
}

function framesOf(path: string): readonly Frame[] {
  const frames: Frame[] = []
  for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
    const prefix = end === -1 ? path : path.slice(0, end)
    const segment = prefix.slice(prefix.lastIndexOf("/") + 1)
    const isCall = segment.startsWith("tool:")
    frames.push({
      id: prefix.replace(isCall ? /#\d+$/u : /\[\d+\]$/u, ""),
      agent: isCall ? null : segment.replace(marks, ""),
      tool: null,
    })
    if (end === -1) return frames
  }
}
