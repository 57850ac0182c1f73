import { limitOfCalls } from "../bounds/limit-of-calls.js"
import type { Setting } from "../behavior/setting.js"
import type { Turn } from "./turn.js"
import { callCountEffect } from "./model-call-start.js"
import type { LlmDefinition } from "./turn-tools.js"

/** Returns how the budget of the run and the agent's own budget can end the agent's turns. */
export function budgetRules(
  definition: LlmDefinition,
  setting: Setting,
): Pick<Turn, "asksBudget" | "mayPassLimit" | "messageEnds"> {
  const own = definition.budget
  const { budget: ofRun } = setting.chart.settings
  const isCounted = countsBudget(setting)
  const endsByRun = typeof ofRun?.onExceeded === "object" && !(isCounted && staysLow(setting))
  return {
    asksBudget: ofRun?.onExceeded === "ask" || own?.onExceeded === "ask",
    mayPassLimit: own !== undefined || (ofRun !== undefined && !isCounted),
    messageEnds: [
      ...(typeof own?.onExceeded === "object" ? [{ signal: "done" as const, effects: [] }] : []),
      // The message of the run's budget also exits the workflow (docs/config.md#budgets).
      ...(endsByRun
        ? [{ signal: "exited" as const, effects: isCounted ? [callCountEffect("limit")] : [] }]
        : []),
    ],
  }
}

/**
 * Returns whether the model checker skips runs that reach their maximum number of model calls. It
 * does so if `highestCount` limits the counters.
 */
const staysLow = ({ highestCount }: Setting): boolean => highestCount !== Infinity

/**
 * Returns whether the model checker knows exactly when a run exceeds its budget. The budget must
 * limit only model calls. In addition, the model checker must count these calls exactly, or skip
 * the runs that reach their maximum.
 */
function countsBudget(setting: Setting): boolean {
  const { settings } = setting.chart
  if (settings.budget === undefined || limitOfCalls(settings).by !== "budget") return false
  const limits = Object.keys(settings.budget).filter((name) => name.startsWith("max"))
  return limits.length === 1 && (setting.countsModelCalls || staysLow(setting))
}
