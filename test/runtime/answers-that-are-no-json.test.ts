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
  ["a big integer", () => 12n],
  ["an object that contains itself", circular],
  ["a function", () => () => 1],
  ["a symbol", () => Symbol("x")],
  [
    "an object that throws when it is written",
    () => ({
      toJSON: () => {
        throw new Error("no")
      },
    }),
  ],
  [
    "an object that throws when it is looked at",
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

/** A model whose tool does as it is told, or that does so itself. */
const services = (answer: () => unknown, look: () => unknown): RunnerOptions => {
  let asked = 0
  return {
    models: { any: { call: async () => (asked++ === 0 ? answer() : { content: "done" }) } },
    tools: { look: { call: async () => look() } },
  }
}

describe.each(interpreters)(
  "a service in this process that answers what is no JSON (%s)",
  (interpreter) => {
    test.each(hostile)("as a tool result, %s is an error for the model", async (_, answer) => {
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
    })

    // As a field, a function and a symbol are left out, as JSON does.
    test.each(hostile.filter(([name]) => name !== "a function" && name !== "a symbol"))(
      "as a model, in the arguments of a call: %s is a malformed answer",
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

    test("as a model: an answer that cannot be looked at is a malformed one, and the run does not hang", async () => {
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

    test("dates and what is undefined become what they are in JSON", async () => {
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
  "a service that throws what cannot be put into words (%s)",
  (interpreter) => {
    test.each([
      ["an object without a prototype", () => Object.create(null) as object],
      [
        "an object whose text throws",
        () => ({
          toString: () => {
            throw new Error("no words")
          },
        }),
      ],
      ["nothing", () => undefined],
    ])("%s ends the call, not the process, and the run does not hang", async (_, thrown) => {
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

describe.each(interpreters)("token counts that cannot be (%s)", (interpreter) => {
  test("are not counted", async () => {
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
  "host code that tells or asks with what is no JSON (%s)",
  (interpreter) => {
    const director = chartOf({
      rootAgentId: "director",
      initialUserInput: "go",
      agents: [{ type: "CustomAgent", id: "director", subAgents: [] }],
    })
    test.each([
      [
        "tells",
        (context: { emit(type: string, data: unknown): void }) => context.emit("note", { big: 1n }),
      ],
      [
        "asks",
        (context: { ask(prompt: string, details: unknown): Promise<unknown> }) =>
          context.ask("sure?", { big: 1n }),
      ],
    ])("fails when it %s", async (_, act) => {
      const { controls } = begin(interpreter, director, { services: { director: act as never } })
      expect(await controls.whenSettled()).toMatchObject({
        status: "failed",
        error: { code: "host_code_failed", message: expect.stringContaining("must be JSON") },
      })
    })
  },
)
