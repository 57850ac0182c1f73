import type { StepBudget } from "../limits/step-budget.js"
import type { Dict, Value } from "../values/values.js"

/** One evaluation: the state that is read, the loop variables, the work that is left. */
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

/** Never written to: an expression without loop variables has no slot. */
const none: (Value | undefined)[] = []

/** A piece of a condition, compiled. */
export type Evaluate = (frame: EvaluationFrame) => Value
