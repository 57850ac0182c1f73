import { codePointLength } from "../characters/code-points.js"
import { ConditionFailed } from "./condition-failed.js"
import { limits } from "./limits.js"

/** Steps that several evaluations share. Each evaluation reduces `left`. */
export interface SharedSteps {
  left: number
}

/** Counts the steps of one evaluation and ends it when they are used up. */
export class StepBudget {
  /** A constant range may use all steps by itself, so each node gets one additional step. */
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

  /** Charges for reading a whole text: one step for 64 units. */
  read(text: string): void {
    if (text.length > 64) this.spend(text.length / 64)
  }

  /** Returns a text that the expression created, or fails if it is too long. */
  text(text: string): string {
    const length = text.length
    if (length <= 64) return text
    this.spend(length / 64)
    if (length <= limits.text) return text
    if (length > 2 * limits.text || codePointLength(text) > limits.text) textTooLong()
    return text
  }

  /** Checks the length of a text before it is created. */
  plannedText(length: number): void {
    if (length > limits.text) textTooLong()
  }

  /** Checks the length of a collection before or while it is created. */
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
