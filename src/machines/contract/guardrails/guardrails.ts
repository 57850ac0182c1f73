/**
 * The guardrails of an LlmAgent, which check its input and its final texts
 * (docs/semantics.md#guardrails). Each list has the order of the config.
 */
export interface Guardrails {
  /**
   * Input guardrails that run before the model is called. The model is called after all of them
   * have finished.
   */
  readonly before: readonly Guardrail[]
  /** Input guardrails with `mode: "beside"`, which run at the same time as the model call. */
  readonly beside: readonly Guardrail[]
  /** Guardrails that check the final text of a response. */
  readonly output: readonly Guardrail[]
  /** Set if the response text is not streamed, because the guardrails must check it first. */
  readonly holdsText?: true
}

/**
 * One check of the input or of the final text of an agent. A host function or a model performs it.
 */
export interface Guardrail {
  readonly name: string
  /** Name of the host function that checks the text. If absent, a model checks it. */
  readonly service?: string
  /**
   * Id of the agent whose model checks the text. It is a key in `agents` of the chart. Absent if a
   * host function checks the text.
   */
  readonly checker?: string
  /** The reaction to a text that the guardrail rejects. */
  readonly onTrip: OnTrip
  /**
   * Fixed text that replaces the agent's response if the guardrail rejects a text. Set only if
   * `onTrip` is `answer`.
   */
  readonly answer?: string
  /**
   * Maximum number of times in a turn that the model is called again because this guardrail
   * rejected its text. Set only if `onTrip` is `repair`.
   */
  readonly maxRepairs?: number
}

/**
 * What happens if a guardrail rejects a text. `fail`: the agent fails. `answer`: a fixed text
 * replaces the response. `replace`: the replacement in the verdict is used instead of the checked
 * text. `repair`: the model receives the reason and is called again.
 */
export type OnTrip = (typeof onTrips)[number]

export const onTrips = ["fail", "answer", "replace", "repair"] as const

/** The text that a guardrail checks. It is the input of the agent, or its final text. */
export type GuardrailSubject = "input" | "output"

/** The event after a guardrail has accepted (`passed`) or rejected (`tripped`) a text. */
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
       * The action that the run takes. It is the guardrail's `onTrip`, or `fail` if the maximum
       * number of repairs is reached.
       */
      readonly action: OnTrip
    }

const prefix = "guardrail:"

/**
 * Returns the id of the agent whose model performs a guardrail's check, such as
 * `guardrail:desk:tone`.
 */
export const checkerOf = (agent: string, guardrail: string): string =>
  `${prefix}${agent}:${guardrail}`

/**
 * Returns whether an agent id belongs to a checker, such as `guardrail:desk:tone`. The model of a
 * checker only performs the check of a guardrail.
 */
export const isChecker = (agent: string): boolean => agent.startsWith(prefix)

/** Returns the names of the host functions that check texts for these guardrails. */
export const guardrailServices = (guardrails: Guardrails | undefined): readonly string[] =>
  guardrails === undefined ? [] : allGuardrails(guardrails).flatMap(({ service }) => service ?? [])

/**
 * Returns the ids of the agents whose models check texts for these guardrails, such as
 * `guardrail:desk:tone`.
 */
export const checkersOf = (guardrails: Guardrails | undefined): readonly string[] =>
  guardrails === undefined ? [] : allGuardrails(guardrails).flatMap(({ checker }) => checker ?? [])

/** Returns the input guardrails and the output guardrails of an agent as one list. */
const allGuardrails = ({ before, beside, output }: Guardrails): readonly Guardrail[] => [
  ...before,
  ...beside,
  ...output,
]
