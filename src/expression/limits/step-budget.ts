import { codePointLength } from "../characters/code-points.js"
import { ConditionFailed } from "./condition-failed.js"
import { limits } from "./limits.js"

/** Number of steps that several evaluations share. Each evaluation reduces `left`. */
export interface SharedSteps {
  left: number
}

/** Counts the steps of one evaluation. Throws when the limit is exceeded. */
export class StepBudget {
  /**
   * Remaining steps. A constant range can use `limits.steps` steps alone, so there is one
   * additional step for each node.
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

  /** Charges for reading a whole text: one step for 64 UTF-16 units. */
  read(text: string): void {
    if (text.length > 64) this.spend(text.length / 64)
  }

  /**
   * Charges for a text that the expression created and returns it. Throws if the text is too long.
   */
  text(text: string): string {
    const length = text.length
    if (length <= 64) return text
    this.spend(length / 64)
    if (length <= limits.text) return text
    if (length > 2 * limits.text || codePointLength(text) > limits.text) textTooLong()
    return text
  }

  /** Throws if a text that will be created is too long. */
  plannedText(length: number): void {
    if (length > limits.text) textTooLong()
  }

  /** Throws if a collection is too long. Call it before or while the collection is created. */
  collection(length: number): void {
    if (length > limits.collection) {
      throw new ConditionFailed(
        "LimitError",
        `a collection has more than ${limits.collection} items`,
      )
    }
  }
}

function textTooLong(): never {
  throw new ConditionFailed("LimitError", `a string has more than ${limits.text} characters`)
}
