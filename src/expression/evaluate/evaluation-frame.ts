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

/** Shared by all expressions without loop variables, which never write to it. */
const none: (Value | undefined)[] = []

/** A compiled part of a condition. */
export type Evaluate = (frame: EvaluationFrame) => Value
