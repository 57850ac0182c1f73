import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"

/**
 * Expressions of `randomExpressions` and the result of each in Python 3.11: refused, an error, or truth, type and
 * repr.
 */
interface RandomCases {
  readonly state: Readonly<Record<string, unknown>>
  readonly cases: readonly (readonly [expression: string, answer: string])[]
}

// The file of this folder has the shape of the interface above.
const { state, cases } = JSON.parse(
  readFileSync(new URL("cases/random.json", import.meta.url), "utf8"),
) as RandomCases

function answerTo(expression: string): string {
  try {
    const { truthy, type, repr } = compileCondition(expression).evaluate(state)
    return `${truthy} ${type} ${repr}`
  } catch (error) {
    if (error instanceof ConditionRefused) return "refused"
    return error instanceof ConditionFailed ? error.pyType : `threw ${String(error)}`
  }
}

test("random expressions have the same truth, type and repr, error or refusal as in Python", () => {
  const wrong = cases.flatMap(([expression, answer]) => {
    const own = answerTo(expression)
    return own === answer ? [] : [`${expression}: ${own} instead of ${answer}`]
  })
  expect(cases.length).toBeGreaterThan(2_000)
  expect(wrong).toEqual([])
})
