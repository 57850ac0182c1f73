import type { Scenario, ScriptedResponse } from "./scenario.js"

export type ScriptedKind = "llm" | "tool"

/** An answer of the script, by its place. */
export interface ScriptEntry {
  readonly kind: ScriptedKind
  readonly id: string
  /** Place in the list of its agent or tool. */
  readonly index: number
  readonly answer: ScriptedResponse
}

/** How far a script has been played. */
export interface ScriptPosition {
  /** The answer for the next call, which is thereby used; null beyond the script. */
  take(kind: ScriptedKind, id: string, lastUserMessage: string): ScriptEntry | null
  knows(kind: ScriptedKind, id: string): boolean
  /** How many answers there are for it. */
  length(kind: ScriptedKind, id: string): number
  unused(): readonly ScriptEntry[]
}

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
      const asked = free((onlyFor) => onlyFor !== null && lastUserMessage.includes(onlyFor))
      const next =
        asked ??
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
