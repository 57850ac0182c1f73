/**
 * The checks of an LlmAgent's input and final texts (docs/semantics.md#guardrails). Each list is in
 * the order of the config.
 */
export interface Guardrails {
  /** Input guardrails that finish before the model is called. */
  readonly before: readonly Guardrail[]
  /** Input guardrails that run at the same time as the model call. */
  readonly beside: readonly Guardrail[]
  /** Guardrails that check the final text of a response. */
  readonly output: readonly Guardrail[]
  /** Set if a response's text is not streamed, because the guardrails check it first. */
  readonly holdsText?: true
}

/** One check of a text, by a host function or by a model. */
export interface Guardrail {
  readonly name: string
  /** Name of the host function that checks the text. Absent: a model checks it. */
  readonly service?: string
  /** Id of the agent in `agents` of the chart whose model checks the text. */
  readonly checker?: string
  /** The effect of a tripped guardrail. */
  readonly onTrip: OnTrip
  /** The text of the agent after the guardrail has tripped. Only set if `onTrip` is `answer`. */
  readonly answer?: string
  /** Maximum number of repairs in a turn. Only set if `onTrip` is `repair`. */
  readonly maxRepairs?: number
}

/**
 * The effect of a tripped guardrail. `fail`: the agent fails. `answer`: a fixed text replaces the
 * response. `replace`: the replacement in the verdict is used instead of the checked text.
 * `repair`: the model receives the reason and is called again.
 */
export type OnTrip = (typeof onTrips)[number]

export const onTrips = ["fail", "answer", "replace", "repair"] as const

/** The text that a guardrail checks: the input of the agent, or its final text. */
export type GuardrailSubject = "input" | "output"

/** The events that report the result of a guardrail's check. */
export type GuardrailEvent =
  | {
      readonly type: "guardrail.passed"
      readonly guardrail: string
      readonly on: GuardrailSubject
    }
  | {
      readonly type: "guardrail.tripped"
      readonly guardrail: string
      readonly on: GuardrailSubject
      readonly reason: string | null
      /**
       * What the run does: the guardrail's `onTrip`, or `fail` if the maximum number of repairs is
       * reached.
       */
      readonly action: OnTrip
    }

const prefix = "guardrail:"

/** Returns the id of the agent whose model checks another agent's texts with this guardrail. */
export const checkerOf = (agent: string, guardrail: string): string =>
  `${prefix}${agent}:${guardrail}`

/**
 * Returns whether an agent is a checker: its model only checks another agent's texts as a
 * guardrail.
 */
export const isChecker = (agent: string): boolean => agent.startsWith(prefix)

/** Returns the names of the host functions that check an agent's texts. */
export const guardrailServices = (guardrails: Guardrails | undefined): readonly string[] =>
  guardrails === undefined ? [] : allGuardrails(guardrails).flatMap(({ service }) => service ?? [])

/** Returns the ids of the agents whose models check an agent's texts. */
export const checkersOf = (guardrails: Guardrails | undefined): readonly string[] =>
  guardrails === undefined ? [] : allGuardrails(guardrails).flatMap(({ checker }) => checker ?? [])

/** Returns all guardrails of an agent. */
const allGuardrails = ({ before, beside, output }: Guardrails): readonly Guardrail[] => [
  ...before,
  ...beside,
  ...output,
]
