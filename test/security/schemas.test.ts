import { describe, expect, test } from "vitest"
import { linearPattern } from "../../src/regex/linear-pattern.js"

import { jsonValidator } from "../../src/runtime/validation/json-validator.js"
import { hostileSchemas } from "./hostile/schemas.js"

describe("JSON schemas that block the process", () => {
  // Each took between one second and an hour before work was counted: the deadline is no measurement.
  test.each(hostileSchemas)("$what", ({ schema, value }) => {
    const violation = jsonValidator()(schema, value)
    expect(violation === null || typeof violation === "string").toBe(true)
  })

  test.each([
    [
      "an enum of 3,000 objects for 4,000 items",
      { items: { enum: [{ a: 1 }, { a: [2] }] } },
      [{ a: [2] }, { a: 1 }],
      null,
    ],
    ["an object with other keys", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, null],
    ["a text like an object", { enum: ['{"a":1}'] }, { a: 1 }, "does not match any"],
    [
      "a pattern that backtracks, on a text that matches",
      { pattern: "^(a+)+$" },
      "a".repeat(20_000),
      null,
    ],
    [
      "a pattern that backtracks, on a text that does not",
      { pattern: "^(a+)+$" },
      `${"a".repeat(20_000)}b`,
      "does not match pattern",
    ],
    [
      "unique objects",
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "Duplicate items at indexes 0 and 1",
    ],
  ])("%s: the answer is still right", (_, schema, value, message) => {
    const violation = jsonValidator()(schema, value)
    if (message === null) expect(violation).toBeNull()
    else expect(violation).toContain(message)
  })

  test("the work for a value is the same on every machine", () => {
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

/** The same texts on every run. */
function* textsOf(letters: string, count: number): Iterable<string> {
  let seed = 12_345
  const next = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed % most
  }
  for (let made = 0; made < count; made++)
    yield Array.from({ length: next(9) }, () => letters[next(letters.length)]).join("")
}

describe("a pattern matches in linear time what JavaScript's engine matches", () => {
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
  ])("%s", (source) => {
    const linear = linearPattern(source)
    const native = new RegExp(source, "u")
    const free = (): void => undefined
    for (const text of textsOf("abcdx-1A.]yfo 😀", 1_000))
      expect([text, linear?.(text, free)]).toEqual([text, native.test(text)])
  })
})
