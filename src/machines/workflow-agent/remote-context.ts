import type { SessionState } from "../data/session-state.js"
import { readKey } from "../data/session-state.js"

/**
 * Prefix of the state keys that contain the ids of conversations with remote agents. Keys with this
 * prefix are hidden. Because the ids are part of the state, they are kept between the turns and
 * runs of a session.
 */
const prefix = "\u0000remote:"

export const contextKey = (agent: string): string => prefix + agent

/** Returns whether a state key contains the id of a conversation with a remote agent. */
export const isContextKey = (key: string): boolean => key.startsWith(prefix)

/** Returns the id of the conversation with a remote agent. Returns null if there is none yet. */
export function contextIdIn(state: SessionState, agent: string): string | null {
  const id = readKey(state, contextKey(agent))
  return typeof id === "string" ? id : null
}
