/** Number of tokens that one or more model calls used, and their cost. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Cost in the unit of the runner's `priceOf`. Absent if the runner has no `priceOf`. */
  readonly cost?: number
}

/**
 * Limits for the model calls of a run, or for those of an agent in all of its turns together. The
 * budget is checked before each model call. A call that exceeds the budget therefore still
 * completes, but no further call is made.
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
   * Maximum time since the first model call, in milliseconds. If a person extends the budget, the
   * time is measured from then on.
   */
  readonly maxDurationMs?: number
  /**
   * What happens when the budget is used up. `limit`: the run ends with the status `limit`. `ask`:
   * a person decides whether to extend the budget by the same amount. `{message}`: this message is
   * used as the response, and the model is not called.
   */
  readonly onExceeded: "limit" | "ask" | { readonly message: string }
}

/**
 * A budget as it is written in a config. Its durations are strings such as `10m`, and `onExceeded`
 * is optional.
 */
export type BudgetFields = Omit<Budget, "maxDurationMs" | "onExceeded"> & {
  readonly maxDuration?: string
  readonly onExceeded?: Budget["onExceeded"]
}

/** Owner of a budget: the whole run or one agent. */
export type BudgetOwner = "run" | "agent"

/** The model calls, tokens and cost that have counted against a budget so far. */
export interface BudgetUsage {
  modelCalls: number
  inputTokens: number
  outputTokens: number
  cost: number
  /**
   * Start of the time that counts against `maxDurationMs`, in milliseconds since the epoch; null
   * before the first model call.
   */
  since: number | null
}

/**
 * Returns the sum of two token counts. `before` is null before the first call. The sum has a cost
 * if at least one of the two has a cost.
 */
export const addTokens = (
  before: TokenUsage | null,
  { inputTokens, outputTokens, cost }: TokenUsage,
): TokenUsage => ({
  inputTokens: (before?.inputTokens ?? 0) + inputTokens,
  outputTokens: (before?.outputTokens ?? 0) + outputTokens,
  ...((cost !== undefined || before?.cost !== undefined) && {
    cost: (before?.cost ?? 0) + (cost ?? 0),
  }),
})

export const noUsage = (): BudgetUsage => ({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  since: null,
})

/**
 * Returns a description of the limit that is used up, or null if another call is allowed.
 * Multiplies all limits by `times`: 1 plus the number of times that a person has extended the
 * budget.
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

/**
 * Limits that the caller of a workflow sets for the called workflow. If the called workflow has a
 * limit of the same kind, the lower limit applies.
 */
export interface CallerLimits {
  readonly maxModelCalls?: number
  readonly budget?: Budget
}
