import { AgentStatechartsError } from "../../errors.js"
import type { Artifacts } from "../contract/artifacts.js"
import type { History } from "../contract/history.js"
import { maxDataDepth, isDeeperThan } from "../data/nesting.js"
import { isHiddenKey } from "../data/session-state.js"

/** The data of a session that is stored between two runs (docs/semantics.md#sessions). */
export interface SessionContents {
  /** The session state, including keys with the prefixes `user:` and `app:`. */
  readonly state: Readonly<Record<string, unknown>>
  /**
   * The messages of the session, oldest first. Empty in the graph-compose dialect, in which each
   * agent has its own conversation.
   */
  readonly history: History
  readonly artifacts: Artifacts
  /**
   * Id of the agent in the root agent's team that receives the next message. null for the root
   * agent itself.
   */
  readonly activeAgent: string | null
}

/**
 * Maximum number of keys in the initial state of a run. A state with more keys is too slow to merge
 * and to display.
 */
const maxStateKeys = 50_000

/**
 * Validates the initial state of a run.
 *
 * @throws AgentStatechartsError `input_refused` if the state has too many keys, contains a key that
 * starts with U+0000, or is nested too deeply
 */
export function checkGivenState(state: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(state)
  if (keys.length > maxStateKeys)
    throw new AgentStatechartsError(
      "input_refused",
      `the state has ${keys.length} keys; the limit is ${maxStateKeys}. Store a list or an object under one key`,
    )
  const key = keys.find(isHiddenKey)
  if (key !== undefined)
    throw new AgentStatechartsError(
      "input_refused",
      `the state key ${JSON.stringify(key)} starts with U+0000, which is reserved for the system. Choose another key`,
    )
  if (isDeeperThan(maxDataDepth, state))
    throw new AgentStatechartsError(
      "input_refused",
      `the state is nested deeper than ${maxDataDepth} levels, or contains itself`,
    )
}
