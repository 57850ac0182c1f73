import { describe, expect, test } from "vitest"
import { fillJson, parseJsonTemplate } from "../../src/template/fill/fill-json.js"
import { type FillOptions, fillTemplate, fillText } from "../../src/template/fill/fill-template.js"
import { parseTemplate } from "../../src/template/parse/parse-template.js"

const state: Readonly<Record<string, unknown>> = deeplyFrozen({
  name: "Ada",
  heat: 0.5,
  on: true,
  none: null,
  list: [3, 1, 2],
  one: [7],
  nested: { a: { b: "deep" } },
  long: Array.from({ length: 20_000 }, (_, index) => index),
})

function deeplyFrozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null)
    for (const child of Object.values(Object.freeze(value))) deeplyFrozen(child)
  return value
}

const fill = (text: string, options?: FillOptions, ownState = state): Promise<unknown> =>
  fillTemplate(parseTemplate(text), { state: ownState, context: { region: "eu" } }, options)

describe("the result of a template", () => {
  test.each<[string, unknown]>([
    ["{{ state.heat }}", 0.5],
    ["{{ state.on }}", true],
    ["{{ state.none }}", null],
    ["{{ state.list }}", [3, 1, 2]],
    ["{{ state.nested }}", { a: { b: "deep" } }],
    ["{{ context.region }}", "eu"],
    ["at {{ state.heat }} for {{ state.name }}", "at 0.5 for Ada"],
    ["on={{ state.on }} {{ state.nested }} {{ state.list }}", 'on=true {"a":{"b":"deep"}} [3,1,2]'],
    [" {{ state.heat }}", " 0.5"],
    ["plain", "plain"],
    ["", ""],
    ['{{ "{{" }}', "{{"],
  ])("the template %s returns %j", async (text, value) => {
    expect(await fill(text)).toEqual(value)
  })

  test("lists of JSONata become plain lists", async () => {
    const lists = (await fill(
      "{{ [state.list.($ * 2), state.one[], $sort(state.list)] }}",
    )) as unknown[]
    expect(lists).toEqual([6, 2, 4, 7, 1, 2, 3])
    expect(Object.getOwnPropertyNames(await fill("{{ state.list.($ * 2) }}"))).toEqual([
      "0",
      "1",
      "2",
      "length",
    ])
  })

  test("a template can return a long list of the state", async () => {
    expect(await fill("{{ state.long }}")).toHaveLength(20_000)
  })

  test("in a JSON value, every text is filled and every key is kept", async () => {
    const body = parseJsonTemplate({
      "{{ key }}": ["{{ state.heat }}", { x: "for {{ state.name }}" }],
      n: 1,
      none: null,
    })
    expect(await fillJson(body, { state, context: {} })).toEqual({
      "{{ key }}": [0.5, { x: "for Ada" }],
      n: 1,
      none: null,
    })
  })
})

describe("templates that fail", () => {
  test.each([
    ["{{ state.missing }}", "has no value"],
    ["Dear {{ state.missing }}", "has no value"],
    ["{{ state.constructor }}", "has no value"],
    ["{{ $string }}", "returns a function"],
    ["{{ 1/0 }}", "the number Infinity"],
    ["{{ $error('no order yet') }}", "no order yet"],
    ["{{ $number(state.name) }}", "Unable to cast"],
  ])("the template %s fails with a message that contains %s", async (text, message) => {
    await expect(fill(text)).rejects.toMatchObject({
      name: "TemplateFailed",
      code: "template_failed",
      message: expect.stringContaining(message),
    })
  })

  test("null cannot be part of a text", async () => {
    await expect(fill("Dear {{ state.none }}")).rejects.toThrow("is null")
    await expect(
      fillText(parseTemplate("{{ state.none }}"), { state, context: {} }),
    ).rejects.toThrow("is null")
  })
})

describe("the state as data", () => {
  test("no expression changes the state", async () => {
    // The state is frozen, so JSONata would fail if it changed the state.
    expect(await fill("{{ state.list[] }}")).toEqual([3, 1, 2])
    expect(await fill("{{ (state ~> |nested|{'a': 1}|).nested }}")).toEqual({ a: 1 })
    expect(state["nested"]).toEqual({ a: { b: "deep" } })
  })

  test("keys such as __proto__ are plain keys", async () => {
    const odd = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c"}') as Record<
      string,
      unknown
    >
    expect(await fill("{{ state.__proto__ }}", {}, odd)).toEqual({ polluted: true })
    expect(await fill("{{ state.constructor }}", {}, odd)).toBe("c")
    expect(JSON.stringify(await fill("{{ state }}", {}, odd))).toBe(JSON.stringify(odd))
    expect(JSON.stringify(await fill("{{ {'__proto__': state.__proto__} }}", {}, odd))).toBe(
      '{"__proto__":{"polluted":true}}',
    )
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })
})

describe("secrets", () => {
  const secret = (name: string): string | undefined => (name === "key" ? "s3cr3t" : undefined)

  test("the caller provides the secrets and receives every value that contains a secret", async () => {
    const made: unknown[] = []
    const options: FillOptions = {
      secret,
      onSecretValue: (value, names) => made.push(value, names),
    }
    expect(await fill("Basic {{ $base64encode('me:' & $secret('key')) }}", options)).toBe(
      "Basic bWU6czNjcjN0",
    )
    expect(made).toEqual(["bWU6czNjcjN0", ["key"]])
  })

  test("the error for a missing secret contains its name", async () => {
    await expect(fill("{{ $secret('other') }}", { secret })).rejects.toMatchObject({
      code: "secret_missing",
      message: expect.stringContaining('"other"'),
    })
    await expect(fill("{{ $secret('key') }}")).rejects.toMatchObject({ code: "secret_missing" })
  })

  test("a missing secret is an error only if the template uses it", async () => {
    expect(await fill("{{ state.on ? 'free' : $secret('other') }}", { secret })).toBe("free")
  })

  test("an error never contains a secret", async () => {
    const error = await fill("{{ $number($secret('key')) }}", { secret }).catch(
      (caught: unknown) => caught,
    )
    expect(error).toMatchObject({ message: "{{ $number($secret('key')) }} failed (JSONata D3030)" })
    expect((error as Error).cause).toBeUndefined()
  })
})
