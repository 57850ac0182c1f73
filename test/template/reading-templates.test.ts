import { describe, expect, test } from "vitest"
import { parseJsonTemplate, templatesIn } from "../../src/template/fill/fill-json.js"
import { parseTemplate } from "../../src/template/parse/parse-template.js"
import { TemplateRefused } from "../../src/template/limits/template-errors.js"

const expressionsOf = (text: string): string[] =>
  parseTemplate(text).parts.flatMap((part) => (part.type === "expression" ? [part.source] : []))

function refusalOf(text: string): TemplateRefused {
  try {
    parseTemplate(text)
  } catch (error) {
    if (error instanceof TemplateRefused) return error
    throw error
  }
  throw new Error(`${text} was not refused`)
}

describe("the end of an expression", () => {
  test.each([
    ["{{ state.a }} and {{state.b}}", ["state.a", "state.b"]],
    ['{{ {"a": {"b":1}} }}', ['{"a": {"b":1}}']],
    ['{{ {"a":{"b":1}}}}', ['{"a":{"b":1}}']],
    ['{{ "}}" }}', ['"}}"']],
    ['{{ "say \\"}}\\"" }}', ['"say \\"}}\\""']],
    ["{{ state.`odd }} name` }}", ["state.`odd }} name`"]],
    ["{{ 1 /* }} */ + 2 }}", ["1 /* }} */ + 2"]],
    ["{{ $match(state.a, /[{}]{2}'\\/\"/) }}", ["$match(state.a, /[{}]{2}'\\/\"/)"]],
    ["{{ 4 /2 }}/{{ 6 /* half */ / 3 }}", ["4 /2", "6 /* half */ / 3"]],
    ["no template, but }} and { { braces", []],
    ["", []],
  ])("the expressions in the template are found: %s", (text, expressions) => {
    expect(expressionsOf(text)).toEqual(expressions)
  })

  test("a long expression without an end is refused", () => {
    expect(refusalOf(`{{ ${"a ".repeat(200_000)}`).position).toBe(0)
  })
})

describe("refused templates", () => {
  test.each([
    ["at {{ state. }}", 13, "Unexpected end of expression"],
    ["{{ state.a b }}", 11, "Syntax error"],
    ["a {{ state.a", 2, 'no "}}"'],
    ["{{ 'open }}", 0, "quote"],
    ["{{ }}", 2, "there is no expression"],
    ["{{ $secret(state.which) }}", 3, "one quoted name"],
    ["{{ $map(state.names, $secret) }}", 21, "one quoted name"],
    ["{{ 'x' ~> $secret }}", 10, "one quoted name"],
    ["{{ ($read := $secret; $read('x')) }}", 13, "one quoted name"],
    ["{{ $eval(state.code) }}", 2, "$eval is not available"],
    ["{{ $contains(state.a, /(a+)+b/) }}", 2, "never finish"],
    ["{{ $contains(state.a, /(a)\\1/) }}", 2, "refers back"],
  ])("%s is refused with the position and a message", (text, position, message) => {
    const refusal = refusalOf(text)
    expect(refusal).toMatchObject({ code: "template_refused", position })
    expect(refusal.message).toContain(message)
  })

  test("the refusal of a text inside a JSON value contains the pointer of the text", () => {
    expect(() => parseJsonTemplate({ a: [{ "b/c": "{{ state. }}" }] })).toThrow("at /a/0/b~1c: ")
  })

  test("an expression that is nested too deeply is refused", () => {
    expect(refusalOf(`{{ ${"(".repeat(50_000)} }}`).code).toBe("template_refused")
  })
})

test("the names of all secrets in a template are known before it is filled", () => {
  expect(
    parseTemplate("{{ $secret('a') }}-{{ state.x ? $secret(\"b\") : $secret('a') }}").secretNames,
  ).toEqual(["a", "b"])
  expect(
    templatesIn(parseJsonTemplate({ x: ["{{ $secret('c') }}"], y: 1 })).flatMap(
      (template) => template.secretNames,
    ),
  ).toEqual(["c"])
})
