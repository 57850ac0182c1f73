import { describe, expect, test } from "vitest"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { begin, chartOf, interpreters } from "../support/in-both-interpreters.js"

const chart = chartOf({
  rootAgentId: "clerk",
  initialUserInput: "go",
  agents: [{ type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["look"] }],
  globalTools: [
    {
      type: "HttpTool",
      id: "look",
      httpConfig: { url: "https://tools.test/look", method: "POST" },
      outputKey: "seen",
    },
  ],
})

const calls = { toolCalls: [{ id: "1", function_name: "look" }] }

function circular(): object {
  const one: Record<string, unknown> = {}
  one["itself"] = one
  return one
}

const hostile: readonly (readonly [string, () => unknown])[] = [
  ["a BigInt", () => 12n],
  ["an object that contains itself", circular],
  ["a function", () => () => 1],
  ["a symbol", () => Symbol("x")],
  [
    "an object whose toJSON throws",
    () => ({
      toJSON: () => {
        throw new Error("no")
      },
    }),
  ],
  [
    "a proxy whose traps throw",
    () =>
      new Proxy(
        {},
        {
          getPrototypeOf: () => {
            throw new Error("no")
          },
          getOwnPropertyDescriptor: () => {
            throw new Error("no")
          },
        },
      ),
  ],
]

/** A model whose first response is `answer()`, and a tool that returns `look()`. */
const services = (answer: () => unknown, look: () => unknown): RunnerOptions => {
  let asked = 0
  return {
    models: { any: { call: async () => (asked++ === 0 ? answer() : { content: "done" }) } },
    tools: { look: { call: async () => look() } },
  }
}

describe.each(interpreters)(
  "a service in this process that returns a value that is not JSON (%s)",
  (interpreter) => {
    test.each(hostile)(
      "the model receives an error if the result of a tool is %s",
      async (_, answer) => {
        const { controls, events } = begin(
          interpreter,
          chart,
          services(() => calls, answer),
        )
        const result = await controls.whenSettled()
        expect(result).toMatchObject({ status: "completed", text: "done" })
        expect(result.state).not.toHaveProperty("seen")
        expect(events.find((event) => event.type === "tool.finished")).toMatchObject({
          response: { error: expect.stringContaining("not JSON") },
        })
      },
    )

    // JSON omits fields whose values are functions or symbols.
    test.each(hostile.filter(([name]) => name !== "a function" && name !== "a symbol"))(
      "a model response is malformed if an argument of a tool call is %s",
      async (_, answer) => {
        const { controls } = begin(
          interpreter,
          chart,
          services(
            () => ({ toolCalls: [{ function_name: "look", function_args: { value: answer() } }] }),
            () => 1,
          ),
        )
        expect(await controls.whenSettled()).toMatchObject({
          status: "failed",
          error: { code: "service_answer_malformed", agent: "clerk" },
        })
      },
    )

    test("a model response whose getter throws is malformed, and the run fails instead of hanging", async () => {
      const { controls } = begin(
        interpreter,
        chart,
        services(
          () => ({
            get content(): string {
              throw new Error("do not look")
            },
          }),
          () => 1,
        ),
      )
      expect(await controls.whenSettled()).toMatchObject({
        status: "failed",
        error: {
          code: "service_answer_malformed",
          message: expect.stringContaining("do not look"),
        },
      })
    })

    test("dates, undefined, NaN and -0 in a tool result are converted as in JSON", async () => {
      const { controls } = begin(
        interpreter,
        chart,
        services(
          () => calls,
          () => ({ when: new Date(0), nothing: undefined, none: Number.NaN, zero: -0 }),
        ),
      )
      expect((await controls.whenSettled()).state["seen"]).toEqual({
        when: "1970-01-01T00:00:00.000Z",
        none: null,
        zero: 0,
      })
    })
  },
)

describe.each(interpreters)(
  "a service that throws a value that cannot be converted to a string (%s)",
  (interpreter) => {
    test.each([
      ["an object without a prototype", () => Object.create(null) as object],
      [
        "an object whose toString throws",
        () => ({
          toString: () => {
            throw new Error("no words")
          },
        }),
      ],
      ["undefined", () => undefined],
    ])("the run fails with model_call_failed if a model throws %s", async (_, thrown) => {
      const { controls } = begin(
        interpreter,
        chart,
        services(
          () => {
            throw thrown()
          },
          () => 1,
        ),
      )
      expect(await controls.whenSettled()).toMatchObject({
        status: "failed",
        error: { code: "model_call_failed", agent: "clerk" },
      })
    })
  },
)

describe.each(interpreters)("invalid token counts (%s)", (interpreter) => {
  test("token counts that are too large are not counted", async () => {
    const { controls } = begin(
      interpreter,
      chart,
      services(
        () => ({ content: "done", usage: { inputTokens: 1e308, outputTokens: 1e308 } }),
        () => 1,
      ),
    )
    expect((await controls.whenSettled()).usage).toMatchObject({ inputTokens: 0, outputTokens: 0 })
  })
})

describe.each(interpreters)(
  "a host function that passes a value that is not JSON (%s)",
  (interpreter) => {
    const director = chartOf({
      rootAgentId: "director",
      initialUserInput: "go",
      agents: [{ type: "CustomAgent", id: "director", subAgents: [] }],
    })
    test.each([
      [
        "emit",
        (context: { emit(type: string, data: unknown): void }) => context.emit("note", { big: 1n }),
      ],
      [
        "ask",
        (context: { ask(prompt: string, details: unknown): Promise<unknown> }) =>
          context.ask("sure?", { big: 1n }),
      ],
    ])("a host function fails if it passes a BigInt to context.%s", async (_, act) => {
      const { controls } = begin(interpreter, director, { services: { director: act as never } })
      expect(await controls.whenSettled()).toMatchObject({
        status: "failed",
        error: { code: "host_code_failed", message: expect.stringContaining("must be JSON") },
      })
    })
  },
)
