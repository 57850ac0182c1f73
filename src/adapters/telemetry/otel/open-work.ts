import type { TokenUsage } from "../../../machines/contract/budget.js"
import type { Work } from "./span-tree.js"

/** The running agents, model call and tool calls with the same agent path in a run. */
export interface PathWork {
  /** Running agents with this agent path, outermost first. */
  readonly agents: Work[]
  chat: Work | null
  /** Running tool calls, by the path segment of the call, for example `tool:call_1`. */
  readonly tools: Map<string, Work>
  /**
   * Total tokens of the model calls with this agent path since the last start of an agent with the
   * path. null if no call has reported its usage.
   */
  usage: TokenUsage | null
}

/**
 * A registry of the open spans of a run. It contains the running agents, model calls and tool calls
 * by agent path.
 */
export class OpenWork {
  readonly #byPath = new Map<string, PathWork>()

  /** Returns the running agents and calls with the agent path `path`. The result may be empty. */
  workAt(path: string): PathWork {
    const known = this.#byPath.get(path)
    if (known !== undefined) return known
    const work: PathWork = { agents: [], chat: null, tools: new Map(), usage: null }
    this.#byPath.set(path, work)
    return work
  }

  /**
   * Returns the innermost running agent or tool call that contains `path`. Returns null if no
   * running agent or tool call contains it.
   */
  around(path: string): Work | null {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const prefix = path.slice(0, end)
      // The path of an agent in a loop contains the iteration, as in `rounds[1]/writer`. The path
      // of the loop is `rounds`.
      const agent =
        this.#byPath.get(prefix)?.agents.at(-1) ??
        this.#byPath.get(prefix.replace(/\[\d+\]$/, ""))?.agents.at(-1)
      if (agent !== undefined) return agent
      const slash = path.lastIndexOf("/", end - 1)
      const segment = path.slice(slash + 1, end).replace(/#\d+$/, "")
      if (!segment.startsWith("tool:")) continue
      const tool = this.#byPath
        .get(path.slice(0, Math.max(slash, 0)))
        ?.tools.get(segment.replace(/~\d+$/, ""))
      if (tool !== undefined) return tool
    }
    return null
  }

  /**
   * Removes the running model call with the agent path `path` and returns it. Returns null if no
   * model call with this path is running.
   */
  takeChat(path: string): Work | null {
    const work = this.#byPath.get(path)
    if (work === undefined) return null
    const { chat } = work
    work.chat = null
    return chat
  }

  remove(path: string): void {
    this.#byPath.delete(path)
  }

  clear(): void {
    this.#byPath.clear()
  }
}
