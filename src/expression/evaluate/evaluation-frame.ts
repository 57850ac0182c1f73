import type { StepBudget } from "../limits/step-budget.js"
import type { Dict, Value } from "../values/values.js"

/**
 * The data of one evaluation of a condition: the session state, the loop variables and the step
 * budget.
 */
export class EvaluationFrame {
  readonly state: Dict
  readonly budget: StepBudget
  readonly variables: (Value | undefined)[]

  constructor(state: Dict, variables: number, budget: StepBudget) {
    this.state = state
    this.budget = budget
    this.variables = variables === 0 ? none : Array.from({ length: variables })
  }
}

/**
 * The empty list of loop variables. All evaluations without loop variables share this list, which
 * is safe because they never write to it.
 */
const none: (Value | undefined)[] = []

/** A compiled expression. The function evaluates the expression and returns its value. */
export type Evaluate = (frame: EvaluationFrame) => Value
