import { beforeAll, describe, expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"
import { escapeAttempts } from "./escape-attempts.js"
import { trapState } from "./trapped-state.js"

interface Outcome {
  readonly result: "refused" | "contained" | "escaped"
  readonly note: string
}

function attempt(source: string, state: Readonly<Record<string, unknown>>): Outcome {
  let result: Outcome["result"] = "contained"
  let note = ""
  try {
    note = compileCondition(source).evaluate(state).repr
  } catch (error) {
    result =
      error instanceof ConditionRefused
        ? "refused"
        : error instanceof ConditionFailed
          ? "contained"
          : "escaped"
    note = String(error)
  }
  return { result, note }
}

test("there are at least 300 escape attempts, and each has a unique name", () => {
  expect(escapeAttempts.length).toBeGreaterThanOrEqual(300)
  expect(new Set(escapeAttempts.map((one) => one.name)).size).toBe(escapeAttempts.length)
})

test("the traps detect unsafe property access", () => {
  const { state, hits, guard } = trapState()
  guard(() => {
    void state["secret"]
    void ("constructor" in state && state["toString"])
    void ({} as Record<string, unknown>)["constructor"]
    void ("" as unknown as Record<string, unknown>)["constructor"]
    void (state["l"] as readonly unknown[]).map(String)
    void globalThis.process
  })
  expect(hits).toEqual(
    expect.arrayContaining([
      "getter secret",
      "object get toString",
      "Object.prototype.constructor",
      "String.prototype.constructor",
      "array get map",
      "globalThis.process",
    ]),
  )
})

/** Makes all attempts, each with a state of its own. Returns their outcomes, and the traps that each one hit. */
function makeAttempts(): readonly (Outcome & { readonly hits: readonly string[] })[] {
  const hits: string[] = []
  const prepared = escapeAttempts.map(({ source }) => ({ source, state: trapState(hits).state }))
  return trapState(hits).guard(() =>
    prepared.map(({ source, state }) => ({ ...attempt(source, state), hits: hits.splice(0) })),
  )
}

describe("all escape attempts", () => {
  let outcomes: ReturnType<typeof makeAttempts> = []
  beforeAll(() => {
    outcomes = makeAttempts()
  })

  test.each(escapeAttempts.map(({ name }, index): readonly [string, number] => [name, index]))(
    "the escape attempt is refused or contained: %s",
    (_name, index) => {
      const outcome = outcomes[index]
      expect(outcome?.result, outcome?.note.slice(0, 200)).toBe(escapeAttempts[index]?.expected)
      expect(outcome?.note).not.toContain("leaked")
      expect(outcome?.hits).toEqual([])
    },
  )
})
