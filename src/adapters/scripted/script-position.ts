import type { Scenario, ScriptedResponse } from "./scenario.js"

/**
 * Kind of a scripted response: `llm` for the model of an agent, `tool` for a tool, `http` for a
 * graph node.
 */
export type ScriptedKind = "llm" | "tool" | "http"

/** A response of a script and its position in the script. */
export interface ScriptEntry {
  readonly kind: ScriptedKind
  readonly id: string
  /** Index of the response in the list of its agent or tool. */
  readonly index: number
  readonly answer: ScriptedResponse
}

/** The data of a request that determines which scripted response is sent. */
export interface ScriptedCall {
  /**
   * For a model, the last user message. For a tool, the arguments as JSON. For a graph node, the
   * URL and the body of its request.
   */
  readonly text: string
  /** The session state that a model received. */
  readonly state: unknown
}

/** A tracker of the responses of a script that have already been used. */
export interface ScriptPosition {
  /**
   * Returns the response for the next call of an agent or tool, and marks it as used. Returns null
   * if no unused response matches the call and no response is repeated.
   */
  take(kind: ScriptedKind, id: string, call: ScriptedCall): ScriptEntry | null
  /** Returns whether the script has a list of responses for an agent or tool. */
  hasResponses(kind: ScriptedKind, id: string): boolean
  /** Returns the number of responses that the script has for an agent or tool. */
  length(kind: ScriptedKind, id: string): number
  /** Returns all responses that have not been used. */
  unused(): readonly ScriptEntry[]
}

/** Creates a `ScriptPosition` in which no response of the scenario is marked as used. */
export const startOfScript = (scenario: Scenario): ScriptPosition => scriptAfter(scenario, [])

/** Creates a `ScriptPosition` in which the entries of `past` are already marked as used. */
export function scriptAfter(scenario: Scenario, past: Iterable<ScriptEntry>): ScriptPosition {
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
    http: new Map(listed("http", scenario.http)),
  }
  const used = new Set<ScriptEntry>()
  for (const { kind, id, index } of past) {
    const entry = entries[kind].get(id)?.[index]
    if (entry !== undefined) used.add(entry)
  }

  return {
    take(kind, id, call) {
      const list = entries[kind].get(id) ?? []
      const free = (fits: (answer: ScriptedResponse) => boolean): ScriptEntry | undefined =>
        list.find((entry) => !used.has(entry) && fits(entry.answer))
      const next =
        free((answer) => isConditional(answer) && matches(answer, call)) ??
        free((answer) => !isConditional(answer)) ??
        list.find(({ answer }) => answer.repeat) ??
        null
      if (next !== null) used.add(next)
      return next
    },
    hasResponses: (kind, id) => entries[kind].has(id),
    length: (kind, id) => entries[kind].get(id)?.length ?? 0,
    unused: () =>
      [...entries.llm.values(), ...entries.tool.values(), ...entries.http.values()]
        .flat()
        .filter((entry) => !used.has(entry)),
  }
}

const isConditional = ({ onlyFor, onlyForState }: ScriptedResponse): boolean =>
  onlyFor !== null || onlyForState !== null

const matches = (
  { onlyFor, onlyForState }: ScriptedResponse,
  { text, state }: ScriptedCall,
): boolean =>
  (onlyFor === null || text.includes(onlyFor)) &&
  (onlyForState === null ||
    (typeof state === "object" &&
      state !== null &&
      Object.entries(onlyForState).every(([key, value]) => hasValue(state, key, value))))

const hasValue = (state: object, key: string, value: unknown): boolean =>
  Object.hasOwn(state, key) &&
  JSON.stringify(value) === JSON.stringify((state as Record<string, unknown>)[key])
