import { compileCondition, type CompiledCondition, type ConditionResult } from "../../src/expression/index.js"

/** The two functions that a scorer of the condition language asks for. */
export function compile(expression: string): CompiledCondition {
  return compileCondition(expression)
}

export function evaluate(expression: string, state: Readonly<Record<string, unknown>>): ConditionResult {
  return compileCondition(expression).evaluate(state)
}
