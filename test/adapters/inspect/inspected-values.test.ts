import { describe, expect, test } from "vitest"
import { copyForInspector } from "../../../src/adapters/inspect/inspected-value.js"
import { stateFrom, writeKey } from "../../../src/machines/data/session-state.js"

describe("a value for inspectors", () => {
  test("is a plain copy", () => {
    const shared = { a: [1, null, true, 12n] }
    expect(copyForInspector()({ shared, undefined, call: () => 1 })).toEqual({
      shared: { a: [1, null, true, "12"] },
    })
  })

  test.each([
    "password",
    "dbPassword",
    "apiKey",
    "api_key",
    "X-Api-Key",
    "Authorization",
    "set-cookie",
    "clientSecret",
    "access_token",
    "token",
    "credentials",
  ])("hides the value of the key %s", (key) => {
    expect(copyForInspector()({ headers: { [key]: "hunter2" } })).toEqual({
      headers: { [key]: "(hidden)" },
    })
  })

  test.each(["inputTokens", "tokens", "keyboard", "pass", "story", "author"])(
    "shows the value of the key %s",
    (key) => expect(copyForInspector()({ [key]: 7 })).toEqual({ [key]: 7 }),
  )

  test("hides only the keys that the function hides selects", () => {
    expect(
      copyForInspector({ hides: (key) => key === "iban" })({ iban: "DE00", password: "mine" }),
    ).toEqual({ iban: "(hidden)", password: "mine" })
  })

  test("contains the session state as a plain object without artifacts", () => {
    const state = writeKey(
      writeKey(stateFrom({ city: "Lagos" }), "mood", "calm"),
      "\u0000artifact:photo",
      "aGk=",
    )
    expect(copyForInspector()({ state })).toEqual({ state: { city: "Lagos", mood: "calm" } })
  })

  test("truncates long texts and shows their original length", () => {
    const text = copyForInspector({ maxText: 40 })("x".repeat(500)) as string
    expect(text).toHaveLength(40)
    expect(text).toMatch(/^x+\.\.\. \(500 characters\)$/)
  })

  test("truncates long lists and large objects", () => {
    expect(copyForInspector({ maxEntries: 2 })([1, 2, 3])).toEqual([1, 2, "(left out: too large)"])
    expect(copyForInspector({ maxEntries: 2 })({ a: 1, b: 2, c: 3 })).toEqual({
      a: 1,
      b: 2,
      "...": "(left out: too large)",
    })
  })

  test("has a limited size, however large the original value is", () => {
    const rows = Array.from({ length: 300 }, (_, row) =>
      Array.from({ length: 300 }, (_, column) => ({ row, column })),
    )
    const seen = JSON.stringify(copyForInspector({ maxValues: 100, maxEntries: 1_000 })(rows))
    expect(seen.length).toBeLessThan(10_000)
  })

  test("is truncated if the original value contains itself", () => {
    const circle: Record<string, unknown> = {}
    circle["me"] = circle
    expect(JSON.stringify(copyForInspector()(circle))).toContain("too large")
  })

  test("does not change if it is converted again", () => {
    const show = copyForInspector({ maxText: 30, maxEntries: 3, maxValues: 40 })
    const once = show({
      text: "y".repeat(99),
      list: [1, 2, 3, 4],
      token: "t",
      deep: { a: { b: "z".repeat(31) } },
    })
    expect(show(once)).toEqual(once)
  })

  test("keeps the key __proto__ as data", () => {
    const given = JSON.parse('{"__proto__":{"polluted":true}}') as object
    expect(JSON.stringify(copyForInspector()(given))).toBe('{"__proto__":{"polluted":true}}')
  })
})
