import process from "node:process"
import { expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"
import { type EscapeAttempt, escapeAttempts } from "./escape-attempts.js"
import { trapState } from "./trapped-state.js"

/** In time of this process: what others do on the machine does not count. */
const slowest = 50

interface Outcome {
  readonly result: "refused" | "contained" | "escaped"
  readonly note: string
  readonly milliseconds: number
}

function attempt(source: string, state: Readonly<Record<string, unknown>>): Outcome {
  const before = process.cpuUsage()
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
  const used = process.cpuUsage(before)
  return { result, note, milliseconds: (used.user + used.system) / 1000 }
}

test("there are 300 attempts and more, each with a name of its own", () => {
  expect(escapeAttempts.length).toBeGreaterThanOrEqual(300)
  expect(new Set(escapeAttempts.map((one) => one.name)).size).toBe(escapeAttempts.length)
})

test("the traps catch what careless code does", () => {
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

test.each(escapeAttempts.map((one): readonly [string, EscapeAttempt] => [one.name, one]))(
  "%s",
  (_name, { source, expected }) => {
    const { state, hits, guard } = trapState()
    let outcome = guard(() => attempt(source, state))
    // A collection of garbage or the optimizing compiler may slow anything down once or twice.
    for (let retry = 0; outcome.milliseconds > slowest && retry < 2; retry++)
      outcome = attempt(source, trapState().state)
    expect(outcome.result, outcome.note.slice(0, 200)).toBe(expected)
    expect(outcome.note).not.toContain("leaked")
    expect(outcome.milliseconds).toBeLessThan(slowest)
    expect(hits).toEqual([])
  },
)
