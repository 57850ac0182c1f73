import { describe, expect, test } from "vitest"
import { readScenario } from "../../src/adapters/scripted/index.js"

const messageOf = (json: unknown, name?: string): string => {
  try {
    readScenario(json, name)
  } catch (error) {
    expect(error).toMatchObject({ code: "scenario_invalid" })
    return (error as Error).message
  }
  throw new Error("the scenario was accepted")
}

describe("a scenario", () => {
  test("contains a list of responses for each agent and each tool, and can be a conformance vector", () => {
    const { llm, tools } = readScenario({
      id: "theme/name",
      title: "…",
      config: {},
      llm: { writer: [{ content: "hi" }] },
      tools: { find: [{ a: 1 }] },
      expect: {},
    })
    expect(llm.get("writer")).toEqual([
      {
        reply: { type: "json", value: { content: "hi" }, status: 200, headers: {} },
        delayMs: 0,
        onlyFor: null,
        onlyForState: null,
        repeat: false,
      },
    ])
    expect(tools.get("find")?.[0]?.reply).toEqual({
      type: "json",
      value: { a: 1 },
      status: 200,
      headers: {},
    })
  })

  test("can be empty", () => {
    expect(readScenario({})).toEqual({
      llm: new Map(),
      tools: new Map(),
      http: new Map(),
      notIdempotent: [],
    })
  })

  test("can contain responses of any shape, including invalid responses", () => {
    const { llm } = readScenario({
      llm: { writer: [{ content: 5, toolCalls: "x", statusCode: null }] },
    })
    expect(llm.get("writer")?.[0]?.reply).toMatchObject({
      value: { content: 5, toolCalls: "x", statusCode: null },
    })
  })
})

describe("an entry of a model with a wrong field", () => {
  test("is refused with the misspelled field and the correct field", () => {
    expect(messageOf({ llm: { writer: [{ contents: "hi" }] } })).toContain(
      'at /llm/writer/0: the field "contents" is unknown. Write "content".',
    )
    expect(messageOf({ llm: { writer: [{ content: "hi", delayMS: 3 }] } })).toContain(
      'the field "delayMS" is unknown. Write "delayMs".',
    )
  })

  test("is accepted if no field has a similar name", () =>
    expect(() => readScenario({ llm: { writer: [{ text: "hi" }] } })).not.toThrow())
})

describe("an entry of a tool", () => {
  const replyOf = (entry: unknown): unknown =>
    readScenario({ tools: { t: [entry] } }).tools.get("t")?.[0]

  test.each<[unknown, unknown]>([
    [{ text: "hi" }, { reply: { type: "text", text: "hi" } }],
    [
      { text: "hi", delayMs: 5 },
      { reply: { type: "text" }, delayMs: 5 },
    ],
    [{ json: 2 }, { reply: { type: "json", value: 2 } }],
    [{ json: null }, { reply: { type: "json", value: null } }],
    [
      { json: { json: 1 }, delayMs: 5 },
      { reply: { value: { json: 1 } }, delayMs: 5 },
    ],
    [{ httpStatus: 502 }, { reply: { type: "status", status: 502 } }],
    [{ reset: true }, { reply: { type: "reset" } }],
    [
      { ok: true, repeat: true },
      { reply: { value: { ok: true } }, repeat: true },
    ],
  ])("%j describes the response with its fields", (entry, answer) => {
    expect(replyOf(entry)).toMatchObject(answer as object)
  })

  test.each([
    [{ text: "hi", status: "ok" }],
    [{ text: 5 }],
    [{ json: 1, more: 2 }],
    [{ delayMs: 5, rows: [] }],
    [{ reset: false }],
    [{ pending: true }],
    [{ pending: true, ticket: "T-7" }],
    [{ headers: { a: "b" } }],
    [{}],
  ])("%j is the JSON body of the response", (entry) => {
    expect(replyOf(entry)).toMatchObject({ reply: { type: "json", value: entry }, delayMs: 0 })
  })
})

describe("invalid scenarios", () => {
  test.each<[unknown, string]>([
    [[], "expected object"],
    [{ llm: { writer: {} } }, "at /llm/writer: "],
    [
      { llm: { writer: [{ content: "x" }, { delayMs: "1s", content: "x" }] } },
      "at /llm/writer/1/delayMs: ",
    ],
    [{ llm: { writer: [{ httpStatus: 42 }] } }, "at /llm/writer/0/httpStatus: "],
    [{ llm: { writer: [{}] } }, "at /llm/writer/0: an empty entry has no response"],
    [{ llm: { writer: [{ delayMs: 5 }] } }, "at /llm/writer/0: an empty entry has no response"],
    [
      { llm: { writer: [{ reset: true, content: "x" }] } },
      "at /llm/writer/0: an entry must be either a response or one fault",
    ],
    [
      { llm: { writer: [{ content: "x", headers: { a: "b" } }] } },
      'at /llm/writer/0: "headers" and "echoHeaders" can only be used with "httpStatus"',
    ],
    [
      { llm: { writer: [{ content: "x", repeat: true }, { content: "y" }] } },
      'at /llm/writer/0: "repeat" hides all later entries',
    ],
    [{ tools: { find: [1] } }, "at /tools/find/0: "],
    [{ tools: { find: [{ json: 1, delayMs: "1s" }] } }, "at /tools/find/0: delayMs: "],
    [
      { tools: { find: [{ json: 1, text: "x" }] } },
      "at /tools/find/0: an entry must be one of text, json",
    ],
    [
      { tools: { find: [{ json: 1, forState: { item: "x" } }] } },
      'at /tools/find/0: "forState" matches the requests of models',
    ],
  ])("%j is refused with the error: %s", (json, message) => {
    expect(messageOf(json)).toContain(message)
  })

  test("the error contains the file name, the path of each problem and the expected format", () => {
    const message = messageOf({ llm: { a: [{}], b: [{}] } }, "demo.json")
    expect(message).toMatch(
      /^demo\.json is not a valid scenario:\n {2}at \/llm\/a\/0: .*\n {2}at \/llm\/b\/0: /,
    )
    expect(message).toContain('Write a scenario as {"llm"')
  })
})
