import type { Scenario, ScriptedResponse } from "./scenario.js"

/**
 * Kind of a scripted response. `llm` is for the model of an agent, `tool` for a tool, and `http`
 * for a graph node.
 */
export type ScriptedKind = "llm" | "tool" | "http"

/** A scripted response and its position in the script. */
export interface ScriptEntry {
  readonly kind: ScriptedKind
  readonly id: string
  /** Index of the response in the list of its agent, tool or graph node. */
  readonly index: number
  readonly answer: ScriptedResponse
}

/** The data of a request that determines which scripted response is sent. */
export interface ScriptedCall {
  /**
   * Text in which a condition of a response searches. For a model, it is the last user message. For
   * a tool, it is the arguments as JSON. For a graph node, it is the URL and the body of its
   * request.
   */
  readonly text: string
  /** The session state in the request to a model. */
  readonly state: unknown
}

/** An object that tracks which responses of a script were already used. */
export interface ScriptPosition {
  /**
   * Returns the response for the next call of an agent, tool or graph node, and marks it as used.
   * Returns null if no unused response matches the call and no response has the field `repeat`.
   */
  take(kind: ScriptedKind, id: string, call: ScriptedCall): ScriptEntry | null
  /** Returns whether the script has a list of responses for an agent, tool or graph node. */
  hasResponses(kind: ScriptedKind, id: string): boolean
  /** Returns the number of responses that the script has for an agent, tool or graph node. */
  length(kind: ScriptedKind, id: string): number
  /** Returns all responses of the script that were not used. */
  unused(): readonly ScriptEntry[]
}

/**
 * Creates a tracker of scripted responses in which no response of the scenario is marked as used.
 */
export const startOfScript = (scenario: Scenario): ScriptPosition => scriptAfter(scenario, [])

/** Creates a tracker of scripted responses in which the responses in `past` are marked as used. */
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
