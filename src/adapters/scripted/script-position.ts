import type { Scenario, ScriptedResponse } from "./scenario.js"

/** Whether a response belongs to an agent (`llm`) or a tool. */
export type ScriptedKind = "llm" | "tool"

/** A response of the script with its position. */
export interface ScriptEntry {
  readonly kind: ScriptedKind
  readonly id: string
  /** Index in the list of its agent or tool. */
  readonly index: number
  readonly answer: ScriptedResponse
}

/** Tracks which responses of a script were used. */
export interface ScriptPosition {
  /** Returns the response for the next call and marks it as used. null if none is left. */
  take(kind: ScriptedKind, id: string, lastUserMessage: string): ScriptEntry | null
  /** Returns whether the script has a list for an agent or tool. */
  knows(kind: ScriptedKind, id: string): boolean
  /** Returns the number of responses for an agent or tool. */
  length(kind: ScriptedKind, id: string): number
  /** Returns all responses that no call has used. */
  unused(): readonly ScriptEntry[]
}

/** Returns the start position of a script. */
export function startOfScript(scenario: Scenario): ScriptPosition {
  const listed = (
    kind: ScriptedKind,
    scripts: Scenario["llm"],
  ): (readonly [string, readonly ScriptEntry[]])[] =>
    [...scripts].map(
      ([id, answers]) =>
        [id, answers.map((answer, index) => ({ kind, id, index, answer }))] as const,
    )
  const entries = {
    llm: new Map(listed("llm", scenario.llm)),
    tool: new Map(listed("tool", scenario.tools)),
  }
  const used = new Set<ScriptEntry>()

  return {
    take(kind, id, lastUserMessage) {
      const list = entries[kind].get(id) ?? []
      const free = (fits: (onlyFor: string | null) => boolean): ScriptEntry | undefined =>
        list.find((entry) => !used.has(entry) && fits(entry.answer.onlyFor))
      const matching = free((onlyFor) => onlyFor !== null && lastUserMessage.includes(onlyFor))
      const next =
        matching ??
        free((onlyFor) => onlyFor === null) ??
        list.find(({ answer }) => answer.repeat) ??
        null
      if (next !== null) used.add(next)
      return next
    },
    knows: (kind, id) => entries[kind].has(id),
    length: (kind, id) => entries[kind].get(id)?.length ?? 0,
    unused: () =>
      [...entries.llm.values(), ...entries.tool.values()]
        .flat()
        .filter((entry) => !used.has(entry)),
  }
}
