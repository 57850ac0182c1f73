import { codePointLength } from "../characters/code-points.js"
import { ConditionFailed } from "./condition-failed.js"
import { limits } from "./limits.js"

/**
 * The number of remaining steps that several evaluations share. Each evaluation subtracts its steps
 * from `left`.
 */
export interface SharedSteps {
  left: number
}

/** A counter that limits the steps of one evaluation. It throws when the limit is exceeded. */
export class StepBudget {
  /**
   * Number of remaining steps. A range of the maximum length already uses `limits.steps` steps, so
   * the budget includes additional steps for the syntax nodes.
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

  /** Charges steps for reading a whole text: one step per 64 UTF-16 units. */
  read(text: string): void {
    if (text.length > 64) this.spend(text.length / 64)
  }

  /**
   * Charges steps for a text that the expression has created, and returns the text. Throws if the
   * text is too long.
   */
  text(text: string): string {
    const length = text.length
    if (length <= 64) return text
    this.spend(length / 64)
    if (length <= limits.text) return text
    if (length > 2 * limits.text || codePointLength(text) > limits.text) textTooLong()
    return text
  }

  /** Throws if a text would be too long. Call it before the text is created. */
  plannedText(length: number): void {
    if (length > limits.text) textTooLong()
  }

  /** Throws if a collection is too long. Call it before or while the collection is created. */
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
