import { codePointLength } from "../characters/code-points.js"
import { ConditionFailed } from "./condition-failed.js"
import { limits } from "./limits.js"

/** Steps that several evaluations may use together; each takes its own from it. */
export interface SharedSteps {
  left: number
}

/** Counts down the work of one evaluation, so that the worst condition ends in milliseconds instead of hours. */
export class StepBudget {
  /** A constant range may use up the steps by itself; the nodes around the loop then still have one each. */
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
        "the conditions of this decision together take too many steps of work",
      )
    if (this.left < 0)
      throw new ConditionFailed("LimitError", `more than ${limits.steps} steps of work`)
  }

  /** Pays for looking at every character of a text once; native code reads dozens of them in a step. */
  read(text: string): void {
    if (text.length > 64) this.spend(text.length / 64)
  }

  /** Passes a text that the expression made, unless it is too long. */
  text(text: string): string {
    const length = text.length
    if (length <= 64) return text
    this.spend(length / 64)
    if (length <= limits.text) return text
    if (length > 2 * limits.text || codePointLength(text) > limits.text) textTooLong()
    return text
  }

  /** Called with the length of a text before it is made. */
  plannedText(length: number): void {
    if (length > limits.text) textTooLong()
  }

  /** Called with the length of a collection before, or while, it is made. */
  collection(length: number): void {
    if (length > limits.collection) {
      throw new ConditionFailed(
        "LimitError",
        `a collection of more than ${limits.collection} items`,
      )
    }
  }
}

function textTooLong(): never {
  throw new ConditionFailed("LimitError", `a string of more than ${limits.text} characters`)
}
