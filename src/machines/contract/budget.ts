/** Tokens of one model call, or of several. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The price that the runner's `priceOf` returns; absent if the runner has none. */
  readonly cost?: number
}

/** What a run, or an agent in all of its turns, may use. Looked at before each model call, so the call that goes over it is the last one. */
export interface Budget {
  /** Input and output tokens together. */
  readonly maxTokens?: number
  readonly maxInputTokens?: number
  readonly maxOutputTokens?: number
  /** In the unit of the runner's `priceOf`. */
  readonly maxCost?: number
  /** Calls, not attempts. */
  readonly maxModelCalls?: number
  /** Since the first model call, or since a person has said to go on, in milliseconds. */
  readonly maxDurationMs?: number
  /** `limit`: the run ends with this status. `ask`: a person says whether as much again may be used. A message is the answer of the model that is not called any more. */
  readonly onExceeded: "limit" | "ask" | { readonly message: string }
}

/** A budget as configs say it: durations are texts such as `10m`, and what happens then may be left out. */
export type BudgetFields = Omit<Budget, "maxDurationMs" | "onExceeded"> & {
  readonly maxDuration?: string
  readonly onExceeded?: Budget["onExceeded"]
}

/** Whose budget it is: that of the run, or that of the agent that is to be asked. */
export type BudgetOwner = "run" | "agent"

/** What was used so far. */
export interface BudgetUsage {
  modelCalls: number
  inputTokens: number
  outputTokens: number
  cost: number
  /** When the time began to count, in milliseconds since the epoch; null while nothing was used. */
  since: number | null
}

/** What two calls have used; the cost stays unknown where none is known. */
export const addTokens = (
  before: TokenUsage | null,
  { inputTokens, outputTokens, cost }: TokenUsage,
): TokenUsage => ({
  inputTokens: (before?.inputTokens ?? 0) + inputTokens,
  outputTokens: (before?.outputTokens ?? 0) + outputTokens,
  ...(cost === undefined && before?.cost === undefined
    ? {}
    : { cost: (before?.cost ?? 0) + (cost ?? 0) }),
})

export const nothingSpent = (): BudgetUsage => ({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  since: null,
})

/** The part of so many times a budget that is used up at a time, in words; null while another call may be made. */
export function usedUp(
  budget: Budget,
  times: number,
  { modelCalls, inputTokens, outputTokens, cost, since }: BudgetUsage,
  at: number,
): string | null {
  const parts: readonly (readonly [keyof Budget & `max${string}`, number])[] = [
    ["maxModelCalls", modelCalls],
    ["maxTokens", inputTokens + outputTokens],
    ["maxInputTokens", inputTokens],
    ["maxOutputTokens", outputTokens],
    ["maxCost", cost],
  ]
  for (const [name, used] of parts) {
    const most = (budget[name] ?? Number.POSITIVE_INFINITY) * times
    if (used >= most) return `${name} (${most}; used ${used})`
  }
  const most = budget.maxDurationMs ?? Number.POSITIVE_INFINITY
  const passed = since === null ? 0 : at - since
  return passed < most ? null : `maxDuration (${most} ms; ${passed} ms have passed)`
}
