import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"

interface EvaluatedCase {
  readonly id: string
  readonly expr: string
  readonly state: Readonly<Record<string, unknown>>
  readonly truthy?: boolean
  readonly type?: string
  readonly repr?: string
  readonly error?: string
  readonly message?: string
}

interface RefusedCase {
  readonly expr: string
  readonly reason: string
}

// The expected results come from a Python 3.11 interpreter.
const evaluatedCases = load<readonly EvaluatedCase[]>("evaluated.json")
const refusedCases = load<readonly RefusedCase[]>("refused.json")

function load<Cases>(name: string): Cases {
  // The files of this folder have the shape of the interfaces above.
  return JSON.parse(readFileSync(new URL(`cases/${name}`, import.meta.url), "utf8")) as Cases
}

function outcome(one: EvaluatedCase): string {
  try {
    const { truthy, type, repr } = compileCondition(one.expr).evaluate(one.state)
    return `${truthy} ${type} ${repr}`
  } catch (error) {
    return error instanceof ConditionFailed ? error.pyType : String(error)
  }
}

test("every condition has the same truth, type, repr or error as in Python", () => {
  const wrong = evaluatedCases.flatMap((one) => {
    const expected = one.error ?? `${one.truthy} ${one.type} ${one.repr}`
    const actual = outcome(one)
    return actual === expected ? [] : [`${one.id} ${one.expr}: ${actual} instead of ${expected}`]
  })
  expect(evaluatedCases.length).toBeGreaterThan(1800)
  expect(wrong).toEqual([])
})

test("every error has the same message as in Python", () => {
  const wrong = evaluatedCases.flatMap((one) => {
    if (one.error === undefined || one.error === "LimitError" || one.error === "UnsupportedError")
      return []
    try {
      compileCondition(one.expr).evaluate(one.state)
    } catch (error) {
      const words = String((error as Error).message).replace(/^\w+(: )?/, "")
      return words === one.message ? [] : [`${one.expr}: ${words} instead of ${one.message}`]
    }
    return [`${one.expr} did not fail`]
  })
  expect(wrong).toEqual([])
})

test("every unsupported program is refused with the correct reason", () => {
  const wrong = refusedCases.flatMap(({ expr, reason }) => {
    try {
      compileCondition(expr)
    } catch (error) {
      if (error instanceof ConditionRefused && error.reason === reason) return []
      return [`${expr.slice(0, 100)}: ${String(error)} instead of ${reason}`]
    }
    return [`${expr.slice(0, 100)} was accepted`]
  })
  expect(refusedCases.length).toBeGreaterThan(120)
  expect(wrong).toEqual([])
})
