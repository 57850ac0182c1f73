import type { SessionState } from "../data/session-state.js"
import { readKey } from "../data/session-state.js"

/**
 * Prefix of the session state keys that contain the ids of conversations with remote agents.
 * Because the ids are part of the state, they are available in later turns and runs of the session.
 * The prefix hides the keys from users.
 */
const prefix = "\u0000remote:"

export const contextKey = (agent: string): string => prefix + agent

/** Returns whether a session state key contains the id of a conversation with a remote agent. */
export const isContextKey = (key: string): boolean => key.startsWith(prefix)

/**
 * Returns the id of the conversation with a remote agent from the session state, or null if there
 * is none.
 */
export function contextIdIn(state: SessionState, agent: string): string | null {
  const id = readKey(state, contextKey(agent))
  return typeof id === "string" ? id : null
}
