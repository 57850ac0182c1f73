import process from "node:process"
import { expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"
import { randomExpressions } from "./random-expressions.js"
import { trapState } from "./trapped-state.js"

const perKind = 70_000
/** Traps are set and taken down for so many expressions at a time. */
const batch = 500
const slowest = 50

interface Outcome {
  readonly fine: boolean
  readonly milliseconds: number
  readonly note: string
}

function run(source: string, state: Readonly<Record<string, unknown>>): Outcome {
  const before = performance.now()
  let note = ""
  try {
    note = typeof compileCondition(source).evaluate(state).repr
  } catch (error) {
    if (!(error instanceof ConditionRefused || error instanceof ConditionFailed))
      note = `threw ${String(error)}`
  }
  return { fine: !note.startsWith("threw"), milliseconds: performance.now() - before, note }
}

function processTime(source: string, state: Readonly<Record<string, unknown>>): number {
  const before = process.cpuUsage()
  run(source, state)
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000
}

test.each(["valid", "damaged", "tokens"] as const)(
  "70,000 expressions (%s) give a value or one of the two typed errors, and touch nothing",
  { timeout: 300_000 },
  (kind) => {
    const expressions = randomExpressions(20_260 + kind.length)
    const { state, hits, guard } = trapState()
    const wrong: string[] = []
    for (let done = 0; done < perKind; done += batch) {
      const sources = Array.from({ length: batch }, () => expressions[kind]())
      const slow: string[] = []
      guard(() => {
        for (const source of sources) {
          const outcome = run(source, state)
          if (!outcome.fine) wrong.push(`${source}: ${outcome.note}`)
          if (outcome.milliseconds > slowest) slow.push(source)
        }
      })
      // A busy machine or a collection of garbage may slow anything down once; what counts is the time of this process.
      for (const source of slow) {
        const again = Math.min(processTime(source, state), processTime(source, state))
        if (again > slowest) wrong.push(`${source}: ${again} ms`)
      }
    }
    expect(wrong).toEqual([])
    expect(hits).toEqual([])
  },
)

test("the generator makes the same expressions from the same seed, most of the valid ones accepted", () => {
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
