import { describe, expect, test } from "vitest"
import { linearPattern } from "../../src/regex/linear-pattern.js"

import { jsonValidator } from "../../src/runtime/validation/json-validator.js"
import { hostileSchemas } from "./hostile/schemas.js"

describe("JSON schemas that block the process", () => {
  // Without the limit on checks, each validation took between one second and one hour, so the test would time out.
  test.each(hostileSchemas)("validation ends in time for $what", ({ schema, value }) => {
    const violation = jsonValidator()(schema, value)
    expect(violation === null || typeof violation === "string").toBe(true)
  })

  test.each([
    [
      "an enum of objects",
      { items: { enum: [{ a: 1 }, { a: [2] }] } },
      [{ a: [2] }, { a: 1 }],
      null,
    ],
    ["an object with its keys in another order", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, null],
    ["a text that looks like an object", { enum: ['{"a":1}'] }, { a: 1 }, "does not match any"],
    [
      "a backtracking pattern and a text that matches",
      { pattern: "^(a+)+$" },
      "a".repeat(20_000),
      null,
    ],
    [
      "a backtracking pattern and a text that does not match",
      { pattern: "^(a+)+$" },
      `${"a".repeat(20_000)}b`,
      "does not match pattern",
    ],
    [
      "uniqueItems and two equal objects",
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "Duplicate items at indexes 0 and 1",
    ],
  ])("the validator returns the correct result for %s", (_, schema, value, message) => {
    const violation = jsonValidator()(schema, value)
    if (message === null) expect(violation).toBeNull()
    else expect(violation).toContain(message)
  })

  test("validation counts checks, so its limit is the same on every machine", () => {
    const schema = { items: { enum: Array.from({ length: 3_000 }, (_, id) => ({ id })) } }
    const validate = jsonValidator()
    expect(validate(schema, [{ id: 1 }])).toBeNull()
    expect(
      validate(
        schema,
        Array.from({ length: 200_001 }, () => ({ id: 1 })),
      ),
    ).toContain("more than 400000 checks")
  })
})

/** Yields pseudo-random texts that are the same in every test run. */
function* textsOf(letters: string, count: number): Iterable<string> {
  let seed = 12_345
  const next = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed % most
  }
  for (let made = 0; made < count; made++)
    yield Array.from({ length: next(9) }, () => letters[next(letters.length)]).join("")
}

describe("the linear-time algorithm for patterns", () => {
  test.each([
    "^[a-z]+(-[a-z]+)*$",
    "a|bc",
    "(a|b)*c",
    "a{2,3}b",
    "^(?:a{0,2}b?){2}$",
    "\\bfoo\\b",
    "^(?=.*\\d)(?=.*[a-z]).{3,}$",
    "[^a]b",
    "\\d{2}-\\d",
    "^$",
    "(ab){2,}",
    "^(a|ab)(c|bcd)$",
    "\\p{Lu}x",
    "^(?!ab)a",
    "a+?b",
    "[\\]a]",
    "\\.",
    "(?<n>a)b",
    "^a*?$",
    "x{0}y",
    "[ab]{1,2}$",
    "\\Bb",
    "(|a)b",
    "\\u0061",
    "^(a+)+$",
    "(a*)*b",
    "😀+",
  ])("the linear-time algorithm matches the same texts as RegExp for %s", (source) => {
    const linear = linearPattern(source)
    const native = new RegExp(source, "u")
    const free = (): void => undefined
    for (const text of textsOf("abcdx-1A.]yfo 😀", 1_000))
      expect([text, linear?.(text, free)]).toEqual([text, native.test(text)])
  })
})
