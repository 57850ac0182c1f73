import { codePointLength } from "../characters/code-points.js"
import { ConditionFailed } from "./condition-failed.js"
import { limits } from "./limits.js"

/**
 * A step limit that several evaluations of conditions share. `left` is the number of remaining
 * steps. Each evaluation reduces it by the number of its steps.
 */
export interface SharedSteps {
  left: number
}

/** Counts the steps of one evaluation of a condition, and throws when the limit is exceeded. */
export class StepBudget {
  /**
   * Number of steps that the evaluation can still execute. A `range` of the maximum length alone
   * uses `limits.steps` steps. Therefore the evaluation gets additional steps for the syntax nodes
   * of the condition.
   */
  private left: number = limits.steps + limits.nodes
  private readonly shared: SharedSteps | undefined

  constructor(shared?: SharedSteps) {
    this.shared = shared
  }

  spend(steps: number): void {
    this.left -= steps
    if (this.shared !== undefined && (this.shared.left -= steps) < 0)
      throw new ConditionFailed(
        "LimitError",
        "the conditions that are evaluated together exceed their limit of steps",
      )
    if (this.left < 0)
      throw new ConditionFailed(
        "LimitError",
        `the evaluation takes more than ${limits.steps} steps`,
      )
  }

  /**
   * Charges the budget for reading a whole text. Reading 64 UTF-16 units is one step. Throws if the
   * budget is exceeded.
   */
  read(text: string): void {
    if (text.length > 64) this.spend(text.length / 64)
  }

  /**
   * Charges the budget for the creation of a text, and returns the text. Throws if the text is too
   * long or the budget is exceeded.
   */
  text(text: string): string {
    const length = text.length
    if (length <= 64) return text
    this.spend(length / 64)
    if (length <= limits.text) return text
    if (length > 2 * limits.text || codePointLength(text) > limits.text) textTooLong()
    return text
  }

  /**
   * Throws if a text of this length would be too long. Must be called before the text is created.
   */
  plannedText(length: number): void {
    if (length > limits.text) textTooLong()
  }

  /**
   * Throws if a collection of this length is too long. Must be called before or while the
   * collection is created.
   */
  collection(length: number): void {
    if (length > limits.collection) {
      throw new ConditionFailed(
        "LimitError",
        `a list, tuple, dict or set has more than ${limits.collection} items, which is the limit`,
      )
    }
  }
}

function textTooLong(): never {
  throw new ConditionFailed("LimitError", `a string has more than ${limits.text} characters`)
}
