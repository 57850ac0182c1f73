/** Tokens that one or more model calls used. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The price that the runner's `priceOf` returns; absent if the runner has none. */
  readonly cost?: number
}

/**
 * Limits for the model calls of a run, or of all turns of an agent together. The budget is checked
 * before each model call, so the call that exceeds it completes and no further call is made.
 */
export interface Budget {
  /** Maximum number of input and output tokens together. */
  readonly maxTokens?: number
  readonly maxInputTokens?: number
  readonly maxOutputTokens?: number
  /** Maximum cost, in the unit of the runner's `priceOf`. */
  readonly maxCost?: number
  /** Maximum number of model calls. Retries of a call do not count. */
  readonly maxModelCalls?: number
  /**
   * Maximum time since the first model call, or since a person extended the budget, in
   * milliseconds.
   */
  readonly maxDurationMs?: number
  /**
   * What happens when the budget is used up. `limit`: the run ends with status `limit`. `ask`: a
   * person decides whether to extend the budget by the same amount. A message is used as the
   * response instead of calling the model.
   */
  readonly onExceeded: "limit" | "ask" | { readonly message: string }
}

/** A budget in a config: durations are strings such as `10m`, and `onExceeded` is optional. */
export type BudgetFields = Omit<Budget, "maxDurationMs" | "onExceeded"> & {
  readonly maxDuration?: string
  readonly onExceeded?: Budget["onExceeded"]
}

/** Whether a budget belongs to the run or to an agent. */
export type BudgetOwner = "run" | "agent"

/** The usage that counts against a budget. */
export interface BudgetUsage {
  modelCalls: number
  inputTokens: number
  outputTokens: number
  cost: number
  /**
   * Start of the measured time, in milliseconds since the epoch; null before the first model call.
   */
  since: number | null
}

/** Adds up token usage. The cost is absent if both costs are absent. */
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

export const noUsage = (): BudgetUsage => ({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  since: null,
})

/**
 * Returns which limit of a budget is used up, as text for a message, or null if another call is
 * allowed. The limits are multiplied by `times`.
 */
export function exceededLimit(
  budget: Budget,
  times: number,
  { modelCalls, inputTokens, outputTokens, cost, since }: BudgetUsage,
  at: number,
): string | null {
  const limits: readonly (readonly [keyof Budget & `max${string}`, number])[] = [
    ["maxModelCalls", modelCalls],
    ["maxTokens", inputTokens + outputTokens],
    ["maxInputTokens", inputTokens],
    ["maxOutputTokens", outputTokens],
    ["maxCost", cost],
  ]
  for (const [name, used] of limits) {
    const limit = (budget[name] ?? Number.POSITIVE_INFINITY) * times
    if (used >= limit) return `${name} (${limit}; used ${used})`
  }
  const limit = budget.maxDurationMs ?? Number.POSITIVE_INFINITY
  const passed = since === null ? 0 : at - since
  return passed < limit ? null : `maxDuration (${limit} ms; ${passed} ms have passed)`
}
