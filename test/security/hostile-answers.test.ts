import { describe, expect, test } from "vitest"
import { readModelAnswer } from "../../src/machines/model-call/model-answer.js"
import { jsonValidator } from "../../src/runtime/validation/json-validator.js"
import { chartOf, interpreters, play } from "../support/in-both-interpreters.js"

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = { inner: value }
  return value
}

const chart = chartOf(
  {
    rootAgentId: "writer",
    agents: [
      {
        type: "LlmAgent",
        id: "writer",
        tools: ["look"],
        activityConfig: { retryPolicy: { maximumAttempts: 1 } },
      },
    ],
    globalTools: [
      {
        type: "HttpTool",
        id: "look",
        httpConfig: { url: "http://tools.test/look", method: "POST" },
      },
    ],
  },
  "small",
)

/** Executes a run. Its model returns these responses and then a final response; its tool returns this result. */
async function playAnswers(
  interpreter: (typeof interpreters)[number],
  answers: readonly unknown[],
  result: () => unknown = () => "found",
) {
  const counts = { model: 0, tool: 0 }
  const conversation: unknown[] = []
  const { rested } = await play(interpreter, chart, {
    models: {
      small: {
        call: ({ messages }) => {
          conversation.splice(0, Infinity, ...messages)
          return Promise.resolve(answers[counts.model++] ?? { content: "done" })
        },
      },
    },
    tools: {
      look: {
        call: () => {
          counts.tool++
          return Promise.resolve(result())
        },
      },
    },
  })
  return { rested, counts, told: JSON.stringify(conversation.at(-1)) }
}

const calls = (args: unknown, name = "look"): object => ({
  toolCalls: [{ function_name: name, function_args: args }],
})

describe("large and deep responses of a model", () => {
  test.each(interpreters)(
    "a response is malformed if its arguments are nested 600 or 100,000 levels deep (%s)",
    async (interpreter) => {
      for (const depth of [600, 100_000]) {
        const { rested, counts } = await playAnswers(interpreter, [calls(nested(depth))])
        expect(rested).toMatchObject({
          status: "failed",
          error: {
            code: "service_answer_malformed",
            message: expect.stringContaining("nested deeper than 500 levels"),
          },
        })
        expect(counts.tool).toBe(0)
      }
    },
  )

  test("a response is malformed if its action details are nested 600 levels deep", () => {
    expect(
      readModelAnswer({ hitlRequest: { prompt: "?", actionDetails: nested(600) } }),
    ).toMatchObject({ ok: false, failure: { code: "service_answer_malformed" } })
  })

  test.each(interpreters)(
    "a response with 20,000 tool calls is malformed, and none of its calls is made (%s)",
    async (interpreter) => {
      const { rested, counts } = await playAnswers(interpreter, [
        { toolCalls: Array.from({ length: 20_000 }, () => ({ function_name: "look" })) },
      ])
      expect(rested).toMatchObject({
        status: "failed",
        error: {
          code: "service_answer_malformed",
          message: expect.stringContaining("20000 calls"),
        },
      })
      expect(counts.tool).toBe(0)
    },
  )

  test.each(interpreters)(
    "500 tool calls with arguments of the maximum depth are all made (%s)",
    async (interpreter) => {
      const { rested, counts } = await playAnswers(interpreter, [
        {
          toolCalls: Array.from({ length: 500 }, () => ({
            function_name: "look",
            function_args: nested(499),
          })),
        },
      ])
      expect([rested.status, counts.tool]).toEqual(["completed", 500])
    },
  )
})

describe("names and ids that a model chooses", () => {
  test.each(interpreters)(
    "a call with a hostile tool name, such as __proto__, calls no tool and returns an error (%s)",
    async (interpreter) => {
      for (const name of [
        "__proto__",
        "constructor",
        "toString",
        "hasOwnProperty",
        "valueOf",
        "tool.0",
        "look\u0000",
        "../look",
        "x".repeat(1_000_000),
      ]) {
        const { rested, counts, told } = await playAnswers(interpreter, [calls({}, name)])
        expect([rested.status, counts.tool]).toEqual(["completed", 0])
        expect(told).toContain("error")
      }
    },
  )

  test.each(interpreters)(
    "arguments with keys such as __proto__ change no prototype, and call ids may be any text (%s)",
    async (interpreter) => {
      const hostile: unknown = JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      )
      const answer = {
        toolCalls: ["__proto__", "__proto__", "constructor", "a#b/c", "\u0000"].map((id) => ({
          id,
          function_name: "look",
          function_args: hostile,
        })),
      }
      const { rested, counts } = await playAnswers(interpreter, [answer])
      expect([rested.status, counts.tool]).toEqual(["completed", 5])
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
    },
  )
})

describe("a model that never stops", () => {
  test.each(interpreters)(
    "a run ends with status limit after 100 model calls in one turn (%s)",
    async (interpreter) => {
      const { rested, counts } = await playAnswers(
        interpreter,
        Array.from({ length: 1000 }, () => calls({})),
      )
      expect(rested).toMatchObject({ status: "limit", error: { code: "limit_reached" } })
      expect(counts).toEqual({ model: 100, tool: 100 })
    },
  )
})

describe("deep results of a tool", () => {
  const containsItself: { inner?: unknown } = {}
  containsItself.inner = containsItself

  test.each(interpreters)(
    "the model receives an error if a tool result is nested too deeply or contains itself (%s)",
    async (interpreter) => {
      for (const result of [nested(600), nested(100_000), containsItself]) {
        const { rested, told } = await playAnswers(interpreter, [calls({})], () => result)
        expect(rested.status).toBe("completed")
        expect(told).toContain("nested deeper than 500 levels")
      }
    },
  )

  test.each(interpreters)(
    "the model receives an error if reading a tool result throws (%s)",
    async (interpreter) => {
      const { rested, told } = await playAnswers(interpreter, [calls({})], () => ({
        get inner(): never {
          throw new Error("not for you")
        },
      }))
      expect(rested.status).toBe("completed")
      expect(told).toContain("not for you")
    },
  )

  test.each(interpreters)(
    "keys such as __proto__ in a tool result stay data (%s)",
    async (interpreter) => {
      const { rested, told } = await playAnswers(
        interpreter,
        [calls({})],
        () => JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
      )
      expect(rested.status).toBe("completed")
      expect(told).toContain("__proto__")
      expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
    },
  )
})

describe("JSON schemas that need many checks", () => {
  const validate = jsonValidator()
  const doubling = (levels: number): Record<string, unknown> =>
    Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `l${level}`,
        level === levels - 1
          ? { type: "number" }
          : { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    )

  test("validation stops for a schema in which each of 40 levels refers to the next level twice", () => {
    expect(validate({ $ref: "#/$defs/l0", $defs: doubling(40) }, 1)).toContain(
      "more than 400000 checks",
    )
    expect(validate({ $ref: "#/$defs/l0", $defs: doubling(10) }, 1)).toBeNull()
  })

  test("validation stops for a schema that doubles with each level of the value", () => {
    const both = { properties: { inner: { $ref: "#" } } }
    expect(validate({ allOf: [both, both] }, nested(60))).toContain("more than 400000 checks")
    expect(validate({ allOf: [both, both] }, nested(8))).toBeNull()
  })

  test("a schema that only refers to itself is rejected and causes no endless loop", () =>
    expect(validate({ $ref: "#" }, 1)).toContain("cannot be used"))

  test("uniqueItems rejects a list that is too long, and compares the items of a shorter list", () => {
    const schema = { type: "array", uniqueItems: true }
    expect(
      validate(
        schema,
        Array.from({ length: 1_000_000 }, (_, index) => index),
      ),
    ).toContain("more than 400000 checks")
    expect(
      validate(
        schema,
        Array.from({ length: 2000 }, (_, index) => index),
      ),
    ).toBeNull()
    expect(validate(schema, [1, 2, 1])).toContain("Duplicate items")
  })

  test("a long list without uniqueItems is checked to its end", () => {
    expect(
      validate(
        { items: { type: "number" } },
        Array.from({ length: 300_000 }, () => 1),
      ),
    ).toBeNull()
    expect(
      validate({ items: { type: "number" } }, [...Array.from({ length: 300_000 }, () => 1), "x"]),
    ).not.toBeNull()
  })

  test("a schema may define properties that have the names of keywords", () => {
    expect(
      validate(
        {
          properties: { $ref: { type: "number" }, uniqueItems: { type: "string" } },
          required: ["$ref"],
        },
        { $ref: 1, uniqueItems: "x" },
      ),
    ).toBeNull()
    expect(validate({ enum: [{ a: 1 }], const: { a: 1 } }, { a: 1 })).toBeNull()
  })
})
