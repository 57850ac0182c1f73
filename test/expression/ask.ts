import {
  compileCondition,
  ConditionFailed,
  ConditionRefused,
  type ConditionResult,
} from "../../src/expression/index.js"

type State = Readonly<Record<string, unknown>>

export function result(expression: string, state: State = {}): ConditionResult {
  return compileCondition(expression).evaluate(state)
}

/** Returns the result as Python's prompt would show it. */
export function answer(expression: string, state: State = {}): string {
  return result(expression, state).repr
}

/** Returns the Python error of the condition as "Type: message". */
export function failure(expression: string, state: State = {}): string {
  return failureOf(expression, state).message
}

export function failureOf(expression: string, state: State = {}): ConditionFailed {
  const condition = compileCondition(expression)
  try {
    condition.evaluate(state)
  } catch (error) {
    if (error instanceof ConditionFailed) return error
    throw error
  }
  throw new Error(`${expression} did not fail`)
}

export function refusal(expression: string): ConditionRefused {
  try {
    compileCondition(expression)
  } catch (error) {
    if (error instanceof ConditionRefused) return error
    throw error
  }
  throw new Error(`${expression} was not refused`)
}
