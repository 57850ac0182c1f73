import { describe, expect, test } from "vitest"
import { differences, disguises, isInOrder, isPaired } from "./matchers.mjs"

const fits = (expected: unknown, came: unknown, options = {}): boolean =>
  differences(expected, came, "it", options).length === 0

describe("matchers", () => {
  test.each<[matcher: unknown, fitting: readonly unknown[], others: readonly unknown[]]>([
    ["$any", ["", 0, null, false, {}], [undefined]],
    ["$absent", [undefined], ["", 0, null, false, {}]],
    ["$bind:x", ["", "id-1"], [undefined, null, 1, {}]],
    [{ $contains: "ab" }, ["ab", "cabd"], ["a b", "AB", "", null, ["ab"], undefined]],
    [{ $containsAll: ["a", "b"] }, ["ba", "a b"], ["a", "b", "AB", null, ["a", "b"]]],
    [{ $containsAllI: ["A", "b"] }, ["Ba", "a B"], ["a", "b", "", null]],
    [{ $containsNone: ["a", "b"] }, ["", "cd", "AB"], ["xa", "b", null, undefined]],
    [
      { $jsonEquals: { a: [1] } },
      ['{"a":[1]}', '{ "a": [ 1 ] }'],
      ['{"a":[1],"b":2}', '{"a":[2]}', "not json", "", null, { a: [1] }],
    ],
    [{ $jsonEquals: { a: "$any" } }, ['{"a":0}'], ["{}"]],
  ])("the matcher %j accepts matching values and rejects others", (matcher, fitting, others) => {
    for (const came of fitting) expect(fits(matcher, came), JSON.stringify(came)).toBe(true)
    for (const came of others) expect(fits(matcher, came), JSON.stringify(came)).toBe(false)
  })

  test("$bind requires the same text wherever the same name is used", () => {
    expect(fits(["$bind:x", "$bind:x", "$bind:y"], ["a", "a", "b"])).toBe(true)
    expect(fits(["$bind:x", "$bind:x"], ["a", "b"])).toBe(false)
  })

  test("an unknown matcher throws", () => {
    expect(() => fits("$some", "x")).toThrow("unknown matcher $some")
    expect(() => fits({ $startsWith: "x" }, "x")).toThrow("unknown matcher $startsWith")
  })
})

describe("equality of JSON values", () => {
  test.each<[expected: unknown, came: unknown]>([
    [1, 1.0],
    ["", ""],
    [null, null],
    [[], []],
    [{}, {}],
    [{ a: { b: [1, { c: null }] } }, { a: { b: [1, { c: null }] } }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])("%j equals %j", (expected, came) => expect(differences(expected, came, "it")).toEqual([]))

  test.each<[expected: unknown, came: unknown]>([
    [1, "1"],
    [0, false],
    ["", null],
    [null, undefined],
    [[], {}],
    [{}, []],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, {}],
    [{}, { a: 1 }],
    [{ a: null }, {}],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
    [JSON.parse('{"__proto__":1}'), {}],
    [{}, JSON.parse('{"__proto__":1}')],
    [{ constructor: "x" }, {}],
  ])("%j differs from %j", (expected, came) =>
    expect(differences(expected, came, "it")).not.toEqual([]),
  )

  test("in a subset, objects at every depth may have more keys, but lists may not have more items", () => {
    expect(fits({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, { subset: true })).toBe(true)
    expect(fits({ a: "$absent" }, { a: 1 }, { subset: true })).toBe(false)
    expect(fits({ a: [1] }, { a: [1, 2] }, { subset: true })).toBe(false)
  })

  test("a difference contains the path, the expected value and the actual value", () => {
    expect(differences({ a: [{ b: 1 }] }, { a: [{ b: 2 }], c: 3 }, "state")).toEqual([
      "state.a[0].b: expected 1, came 2",
      'state.c: expected "$absent", came 3',
    ])
  })
})

describe("lists in any order", () => {
  test("each expected item matches a different actual item", () => {
    expect(isPaired([{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }])).toBe(true)
    expect(isPaired([{ a: 1 }, { a: 1 }], [{ a: 1 }, { a: 2 }])).toBe(false)
    expect(isPaired([{ a: "$any" }, { a: 1 }], [{ a: 1 }, { a: 2 }])).toBe(true)
  })

  test("the binds of a failed pairing are discarded", () => {
    const binds = new Map<string, string>()
    const came = [
      { id: "p", who: "a" },
      { id: "q", who: "b" },
    ]
    expect(
      isPaired([{ id: "$bind:x" }, { id: "$any", who: "a" }], came, { subset: true, binds }),
    ).toBe(true)
    expect(fits("$bind:x", "q", { binds })).toBe(true)
    expect(fits("$bind:x", "p", { binds })).toBe(false)
  })

  test("names must be in order, except in an unordered block", () => {
    const wanted = ["a", { unordered: ["b", "c", "c"] }, "d"]
    expect(isInOrder(wanted, ["a", "c", "b", "c", "d"])).toBe(true)
    for (const came of ["acbbd", "abccd!", "bacc d", "abcc", "accdb", "", "dabcc"])
      expect(isInOrder(wanted, [...came]), came).toBe(false)
    expect(isInOrder([], [])).toBe(true)
    expect(isInOrder([], ["a"])).toBe(false)
  })
})

describe("encoded forms of a secret", () => {
  const secret = 'p&ss "wörd" 42/7+'
  const base64 = (text: string): string => Buffer.from(text).toString("base64")
  const hides = (text: string): boolean => disguises(secret).some((form) => text.includes(form))

  test.each([
    ["raw", `key=${secret};`],
    ["as JSON", JSON.stringify({ secret })],
    ["as JSON in JSON", JSON.stringify({ inner: JSON.stringify({ secret }) })],
    ["in a URL", `http://x.test/?a=${encodeURIComponent(secret)}`],
    ["in a form", new URLSearchParams({ a: secret }).toString()],
    ["as base64", base64(secret)],
    ["as base64 after one byte", base64(`:${secret}!`)],
    ["as base64 after two bytes", base64(`a:${secret}`)],
    ["as base64 of a user and a password", base64(`user:${secret}`)],
    ["as base64 for URLs", Buffer.from(`x${secret}`).toString("base64url")],
  ])("a secret is found in this form: %s", (_, text) => expect(hides(text)).toBe(true))

  test("a different text is not mistaken for the secret", () => {
    for (const text of [
      "",
      "p&ss",
      base64("something else entirely"),
      JSON.stringify({ secret: "p&ss word 42/7" }),
    ])
      expect(hides(text)).toBe(false)
  })
})
