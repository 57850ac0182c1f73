import type { StepBudget } from "../limits/step-budget.js"
import type { Dict, Value } from "../values/values.js"

/** The data of one evaluation: the state, the loop variables and the step budget. */
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
 * The empty variable list that all evaluations without loop variables share. Sharing is safe,
 * because these evaluations never write to it.
 */
const none: (Value | undefined)[] = []

/** A compiled expression, which evaluates to a value. */
export type Evaluate = (frame: EvaluationFrame) => Value
