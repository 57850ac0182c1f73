import { readFileSync } from "node:fs"
import { crc32, gunzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { compileCondition, ConditionFailed, ConditionRefused } from "../../src/expression/index.js"
import { sampleOf } from "../support/random-cases.js"
import { conditions } from "./python/conditions.mjs"

/** The results of Python 3.11 for the conditions. python/write-results.py writes this file and explains its lines. */
const results = gunzipSync(readFileSync(new URL("python/results.txt.gz", import.meta.url)))
  .toString("utf8")
  .trimEnd()
  .split("\n")

const longest = 60

function line(expression: string, state: Readonly<Record<string, unknown>>): string {
  try {
    const { truthy, type, repr } = compileCondition(expression).evaluate(state)
    const points = [...`${truthy ? "T" : "F"} ${type} ${repr}`]
    const text = points.join("")
    if (points.length <= longest) return text.replaceAll("\n", "\\n")
    return `${points.slice(0, 20).join("")}~${crc32(text).toString(16).padStart(8, "0")}`
  } catch (error) {
    if (error instanceof ConditionRefused) return `refused: ${error.reason}`
    return error instanceof ConditionFailed ? error.pyType : `threw ${String(error)}`
  }
}

/** Outcomes of unsupported features, such as the format "#x". Python's result is not compared. */
const leftOut = /^refused: (?:format|unhashable|resource|limit)$|^(?:LimitError|UnsupportedError)$/

/** Errors that Python raises when a condition runs and that this compiler reports earlier. */
const refusedBefore: ReadonlyMap<string, string> = new Map([
  ["refused: unknown-name", "NameError"],
  ["refused: call", "TypeError"],
  ["refused: syntax", "SyntaxError"],
  ["refused: identity", "SyntaxError"],
])

const cases = sampleOf(
  conditions(20_261_122, results.length).map((condition, index) => ({
    ...condition,
    expected: results[index],
  })),
  4,
)

test(
  `${cases.length} random conditions have the same truth, type, repr or error as in Python`,
  { timeout: 300_000 },
  () => {
    const wrong: string[] = []
    let compared = 0
    let unlike = 0
    for (const { expression, state, expected } of cases) {
      if (expected === "?") continue
      const actual = line(expression, state)
      if (actual === expected) compared++
      else if (leftOut.test(actual) || refusedBefore.get(actual) === expected) unlike++
      else
        wrong.push(`${expression} with ${JSON.stringify(state)}: ${actual} instead of ${expected}`)
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(0.98 * cases.length)
    expect(compared + unlike).toBeGreaterThan(0.999 * cases.length)
  },
)
