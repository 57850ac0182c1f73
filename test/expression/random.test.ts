import { expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"
import { randomCases, seed } from "../support/random-cases.js"
import { randomExpressions } from "./random-expressions.js"
import { trapState } from "./trapped-state.js"

const perKind = randomCases(70_000)
/** Number of expressions that are evaluated between setting and removing the traps. */
const batch = 500

/** Evaluates an expression. Returns an error of another type than the two typed errors, or null. */
function unexpectedError(source: string, state: Readonly<Record<string, unknown>>): unknown {
  try {
    void compileCondition(source).evaluate(state).repr
  } catch (error) {
    if (!(error instanceof ConditionRefused || error instanceof ConditionFailed)) return error
  }
  return null
}

test.each(["valid", "damaged", "tokens"] as const)(
  `${perKind} random expressions (%s) return a value or one of the two typed errors, and have no side effects`,
  { timeout: 300_000 },
  (kind) => {
    const expressions = randomExpressions(seed + kind.length)
    const { state, hits, guard } = trapState()
    const wrong: string[] = []
    for (let done = 0; done < perKind; done += batch) {
      const sources = Array.from({ length: batch }, () => expressions[kind]())
      guard(() => {
        for (const source of sources) {
          const error = unexpectedError(source, state)
          if (error !== null) wrong.push(`${source}: ${String(error)}`)
        }
      })
    }
    expect(wrong).toEqual([])
    expect(hits).toEqual([])
  },
)

test("the generator creates the same expressions from the same seed, and most valid ones are accepted", () => {
  const one = randomExpressions(7)
  const two = randomExpressions(7)
  expect(Array.from({ length: 50 }, () => one.valid())).toEqual(
    Array.from({ length: 50 }, () => two.valid()),
  )
  const sources = Array.from({ length: 500 }, () => one.valid())
  const refused = sources.filter((source) => {
    try {
      compileCondition(source)
      return false
    } catch {
      return true
    }
  })
  expect(refused.length).toBeLessThan(sources.length / 2)
})
