// The two functions that a scorer of the condition language asks for, on the built package.
import { compileCondition } from "agent-statecharts/expression"

export const compile = (expression) => compileCondition(expression)

export const evaluate = (expression, state) => compileCondition(expression).evaluate(state)
