import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"

/** Maximum number of decimal digits of an integer that Python converts to or from text. */
export const maxDigits = 4300

export function decimalText(value: number | bigint, budget: StepBudget): string {
  if (typeof value === "number") return String(value)
  budget.spend(value > 1n << 256n || value < -(1n << 256n) ? 100 : 1)
  const text = value.toString()
  if (text.length - (value < 0n ? 1 : 0) > maxDigits) {
    raise(
      "ValueError",
      `Exceeds the limit (${maxDigits} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    )
  }
  return text
}
