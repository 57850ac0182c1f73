import * as fc from "fast-check"
import { expect, test } from "vitest"
import { jsonComparer } from "../../src/faults/environment/json-comparer.js"
import { sameJson } from "../../src/runtime/history/equal-json.js"
import { randomCases, seed } from "../support/random-cases.js"

/** Short values, so that many pairs are equal. */
const value = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom("a", "b") })

test("jsonComparer returns the same result as sameJson, even if items were compared before", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, fc.boolean()), { maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { minLength: 1, maxLength: 8 }),
      (pairs, slices) => {
        const ones = pairs.map(([one]) => one)
        const others = pairs.map(([one, other, isCopy]) => (isCopy ? structuredClone(one) : other))
        const same = jsonComparer()
        for (const [from, length] of slices) {
          const [first, second] = [ones, others].map((list) => list.slice(from, from + length))
          expect(same(first, second)).toBe(sameJson(first, second))
        }
      },
    ),
    { seed, numRuns: randomCases(1_000) },
  )
})

test("an item that two lists share is compared once", () => {
  let reads = 0
  const message = {
    get text(): string {
      reads++
      return "hello"
    },
  }
  const copy = { text: "hello" }
  const same = jsonComparer()
  for (let length = 1; length <= 5; length++)
    expect(
      same(
        Array.from({ length }, () => message),
        Array.from({ length }, () => copy),
      ),
    ).toBe(true)
  expect(reads).toBe(1)
})
