import type { CompiledCondition } from "../../../expression/compile-condition.js"
import { compileCondition } from "../../../expression/compile-condition.js"
import { ConditionRefused } from "../../../expression/limits/condition-refused.js"
import { report } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { filledText } from "./plain-values.js"

/**
 * Parses and compiles a condition, which is a Python expression over `session_state`
 * (docs/conditions.md). Returns its source text.
 */
export const condition: Reader<string> = (value, location) => {
  const result = compiledSource(value, location)
  if (result !== null) location.parser.conditions.push({ condition: result, location })
  return result?.source ?? null
}

/**
 * Parses and compiles the expression that returns the items of a `forEach`. Returns its source
 * text.
 */
export const itemsExpression: Reader<string> = (value, location) => {
  const result = compiledSource(value, location)
  if (result !== null)
    location.parser.conditions.push({ condition: result, returnsItems: true, location })
  return result?.source ?? null
}

const compiledSource: Reader<CompiledCondition> = (value, location) => {
  const source = filledText(value, location)
  if (source === null) return null
  const { compiled } = location.parser
  const result = compiled.get(source) ?? compile(source)
  compiled.set(source, result)
  if (result instanceof ConditionRefused) {
    return report(location, {
      code: "bad_condition",
      problem: `is not a valid condition: ${result.message}`,
      fix: fixFor(result),
    })
  }
  return result
}

function compile(source: string): CompiledCondition | ConditionRefused {
  try {
    return compileCondition(source)
  } catch (error) {
    if (error instanceof ConditionRefused) return error
    throw error
  }
}

function fixFor({ reason }: ConditionRefused): string {
  if (reason === "syntax")
    return "Write a Python expression, such as session_state.get('verdict') == 'good', and check its quotes and brackets."
  if (reason === "unknown-name")
    return "Use the name session_state and the allowed functions only. Write session_state['key'] to read a key of the state."
  return "Use the Python features that docs/conditions.md lists. Conditions support a safe subset of Python."
}
