import { createActor } from "xstate"
import { describe, expect, onTestFinished, test } from "vitest"
import { openAiModel, type OpenAiModelOptions } from "../../../src/adapters/model/openai/index.js"
import { compile } from "../../../src/compiler/compile.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { EmittedEvent, RunEvent } from "../../../src/machines/contract/run-event.js"
import { controlActor } from "../../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../../src/runtime/host/memory-journal.js"
import { runAt } from "../../../src/runtime/history/snapshot-at.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import type { Reply } from "./openai-server.js"
import { chatServer, chunkOf, completion, spoken, streamOf, usageChunk } from "./openai-server.js"

const chartOf = (fields: object = {}, more: object = {}): AgentChart => {
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "clerk",
      agents: [{ type: "LlmAgent", name: "clerk", model: "m", ...fields }],
      ...more,
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const once = { activityConfig: { retryPolicy: { maximumAttempts: 1 } } }
const thrice = { activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "1ms" } } }

async function modelOn(script: readonly Reply[], options: OpenAiModelOptions = {}) {
  const { baseUrl, asked } = await chatServer(script)
  const model = openAiModel({ baseUrl, ...options })
  onTestFinished(() => model.close())
  return { model, asked }
}

async function listen(
  script: readonly Reply[],
  chart = chartOf(once),
  options: OpenAiModelOptions = {},
) {
  const { model, asked } = await modelOn(script, options)
  const journal = memoryJournal()
  const run = createRunner({
    models: { m: model },
    journal,
    services: { weather: () => ({ fine: true }) },
  }).start(chart, { prompt: "Hello." })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  const result = await run.result
  return { run, journal, result, asked, events, deltas: deltasIn(events) }
}

const deltasIn = (events: readonly EmittedEvent[] | readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "model.delta" ? [event.text] : []))

describe("a streamed response", () => {
  test("is emitted as model.delta events with the identity of the call, and its usage is counted", async () => {
    const { result, asked, events, deltas } = await listen([spoken(["Good ", "mor", "ning."])])
    expect(asked[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(deltas).toEqual(["Good ", "mor", "ning."])
    expect(result).toMatchObject({
      status: "completed",
      text: "Good morning.",
      usage: { modelCalls: 1, inputTokens: 11, outputTokens: 3 },
    })
    const [called, delta, responded] = ["model.called", "model.delta", "model.responded"].map(
      (type) => events.find((event) => event.type === type),
    )
    expect(delta).toMatchObject({
      agent: "clerk",
      path: called?.path,
      branch: null,
      call: called?.type === "model.called" ? called.call : "",
      attempt: 1,
      seq: called?.seq,
    })
    expect(responded?.seq).toBe((called?.seq ?? 0) + 1)
    expect(events.map(({ type }) => type).lastIndexOf("model.delta")).toBeLessThan(
      events.findIndex(({ type }) => type === "model.responded"),
    )
  })

  test("is only emitted live: late subscribers and the journal do not receive its deltas", async () => {
    const { run, journal, deltas } = await listen([spoken(["unheard-of"])])
    expect(deltas).toEqual(["unheard-of"])
    const late: RunEvent[] = []
    run.events$.subscribe((event) => late.push(event))
    expect(deltasIn(late)).toEqual([])
    expect(late.map(({ seq }) => seq)).toEqual(late.map((_, index) => index))
    const stored = journal.toJSON()[run.runId]
    if (stored === undefined) throw new Error("the run is not in the journal")
    expect(runAt(stored).events.some(({ type }) => type === "model.delta")).toBe(false)
  })

  test("without a subscriber, the response is requested without streaming", async () => {
    const { model, asked } = await modelOn([completion({ content: "Hello!" })])
    const { text } = await createRunner({ models: { m: model } }).start(chartOf(), {
      prompt: "Hello.",
    }).result
    expect(text).toBe("Hello!")
    expect(asked[0]?.body).not.toHaveProperty("stream")
  })

  test("an actor streams responses to onEvent, and requests no stream without onEvent", async () => {
    const { model, asked } = await modelOn([
      spoken(["Hel", "lo!"]),
      completion({ content: "Hello!" }),
    ])
    const play = async (more: object): Promise<string | null> => {
      const actor = createActor(toMachine(chartOf(), { models: { m: model }, ...more }), {
        input: { prompt: "Hello." },
      })
      const { result } = controlActor(actor)
      actor.start()
      return (await result).text
    }
    const events: EmittedEvent[] = []
    expect(await play({ onEvent: (event: EmittedEvent) => events.push(event) })).toBe("Hello!")
    expect(deltasIn(events)).toEqual(["Hel", "lo!"])
    expect(await play({})).toBe("Hello!")
    expect(asked.map(({ body }) => body["stream"])).toEqual([true, undefined])
  })

  const words = ["Grüße ", "aus 日本", " 🎉\n", '"quoted"']

  test.each([1, 2, 3, 5, 7, 11, 64, 1000])(
    "can be split anywhere, even within characters and lines (chunks of %i bytes)",
    async (chunk) => {
      const { result, deltas } = await listen([spoken(words, { chunk })])
      expect(deltas).toEqual(words)
      expect(result.text).toBe(words.join(""))
    },
  )

  test.each(["\r\n", "\r"])(
    "can have comments, lines that end with %j, and no [DONE]",
    async (newline) => {
      const reply = spoken(words, { newline, end: "", chunk: 3 })
      const { result } = await listen([
        {
          ...reply,
          body: `: hello${newline}${newline}event: chunk${newline}${String(reply.body)}`,
        },
      ])
      expect(result.text).toBe(words.join(""))
    },
  )

  test("tool calls are assembled from their chunks", async () => {
    const chart = chartOf(
      { tools: ["weather"] },
      {
        globalTools: [
          {
            type: "FunctionTool",
            id: "weather",
            description: "Looks it up.",
            parameters: { type: "object", properties: { city: { type: "string" } } },
          },
        ],
      },
    )
    const piece = (index: number, more: object): object =>
      chunkOf({ tool_calls: [{ index, ...more }] })
    const call = (id: string): object => ({
      id,
      type: "function",
      function: { name: "weather", arguments: "" },
    })
    const pieces = [
      piece(0, call("a")),
      piece(0, { function: { arguments: '{"ci' } }),
      piece(1, call("b")),
      piece(0, { function: { arguments: 'ty":"Oslo"}' } }),
      piece(1, { function: { arguments: '{"city":"Lima"}' } }),
    ]
    const { result, events } = await listen(
      [
        streamOf(
          [chunkOf({ content: "Let me look." }), ...pieces, chunkOf({}, "tool_calls"), usageChunk],
          { chunk: 10 },
        ),
        spoken(["Fine."]),
      ],
      chart,
    )
    expect(result).toMatchObject({
      text: "Fine.",
      usage: { modelCalls: 2, toolCalls: 2, inputTokens: 22, outputTokens: 6 },
    })
    expect(
      events.flatMap((event) =>
        event.type === "tool.called" ? [[event.callId, event.arguments]] : [],
      ),
    ).toEqual([
      ["a", { city: "Oslo" }],
      ["b", { city: "Lima" }],
    ])
  })

  test.each([
    [
      "whole calls without an index",
      [
        { id: "a", function: { name: "weather", arguments: "{}" } },
        { id: "b", function: { name: "weather", arguments: { city: "Lima" } } },
      ],
    ],
    [
      "whole calls that all have the index 0",
      [
        { index: 0, id: "a", function: { name: "weather", arguments: "{}" } },
        { index: 0, id: "b", function: { name: "weather", arguments: '{"city":"Lima"}' } },
      ],
    ],
  ])("tool calls are read from servers that send %s", async (_, toolCalls) => {
    const chart = chartOf(
      { tools: ["weather"] },
      { globalTools: [{ type: "FunctionTool", id: "weather", description: "Looks it up." }] },
    )
    const { events } = await listen(
      [
        streamOf([
          ...toolCalls.map((each) => chunkOf({ tool_calls: [each] })),
          chunkOf({}, "tool_calls"),
        ]),
        spoken(["Fine."]),
      ],
      chart,
    )
    expect(
      events.flatMap((event) =>
        event.type === "tool.called" ? [[event.callId, event.arguments]] : [],
      ),
    ).toEqual([
      ["a", {}],
      ["b", { city: "Lima" }],
    ])
  })

  test("a server that does not support streaming can send a whole response", async () => {
    const { result, deltas } = await listen([completion({ content: "Hello!" })])
    expect([result.text, deltas]).toEqual(["Hello!", []])
  })

  test("a streamed response is read even if no stream was requested", async () => {
    const { result, deltas } = await listen([spoken(["Hel", "lo!"])], chartOf(once), {
      stream: false,
    })
    expect(result).toMatchObject({ text: "Hello!", usage: { inputTokens: 11 } })
    expect(deltas.join("")).toBe("Hello!")
  })

  test("an API key that the server repeats is masked in the deltas, even if it is split", async () => {
    const apiKey = "sk-canary-0123456789"
    const { deltas, result } = await listen(
      [spoken(["You sent sk-can", "ary-01", "23456789", " to me. s", "k-no."])],
      chartOf(once),
      { apiKey },
    )
    expect(deltas.join("")).toBe(result.text)
    expect(deltas.join("")).toBe("You sent [secret apiKey] to me. sk-no.")
  })
})

describe("an incomplete or failed stream", () => {
  const whole = spoken(["Good ", "morning", "."])
  const bytes = Buffer.byteLength(String(whole.body))

  test.each([0, 60, 200, 260, 300, 420])(
    "is retried if the connection is closed after %i bytes",
    async (cutAfter) => {
      expect(cutAfter).toBeLessThan(bytes)
      const { result, asked, events } = await listen(
        [{ ...whole, cutAfter, chunk: 50 }, spoken(["Good ", "evening."])],
        chartOf(thrice),
      )
      expect(result).toMatchObject({
        status: "completed",
        text: "Good evening.",
        usage: { modelCalls: 1 },
      })
      expect(asked).toHaveLength(2)
      expect(events.find(({ type }) => type === "retry.scheduled")).toMatchObject({
        error: { code: "service_unreachable", retryable: true },
      })
      expect(
        deltasIn(
          events.filter((event) => event.type === "model.delta" && event.attempt === 2),
        ).join(""),
      ).toBe("Good evening.")
    },
  )

  const end = (chunks: readonly unknown[], last = ""): Reply => streamOf(chunks, { end: last })

  test.each([
    [
      "ends between two words",
      end([chunkOf({ content: "Good" })]),
      { code: "service_answer_malformed", retryable: true },
    ],
    [
      "ends in the middle of a word",
      { ...whole, body: String(whole.body).slice(0, 250) },
      { code: "service_answer_malformed", retryable: true },
    ],
    [
      "contains an event that is not JSON",
      end([chunkOf({ content: "Good" })], "{broken"),
      { code: "service_answer_malformed", retryable: true },
    ],
    [
      "contains an error",
      end([
        chunkOf({ content: "Good" }),
        { error: { message: "the engine is overloaded", type: "server_error" } },
      ]),
      { code: "model_call_failed", retryable: true },
    ],
    [
      "contains an error with a status",
      end([{ error: { message: "no such tool", code: 400 } }]),
      { code: "model_call_failed", retryable: false },
    ],
    [
      "reports that the context is too long",
      end([
        {
          error: {
            message: "This model's maximum context length is 8 tokens.",
            code: "context_length_exceeded",
          },
        },
      ]),
      { code: "model_call_failed", retryable: false },
    ],
    [
      "reaches the token limit before the first word",
      end([chunkOf({ role: "assistant", content: "" }), chunkOf({}, "length")], "[DONE]"),
      { code: "service_answer_malformed", retryable: true },
    ],
  ])("a stream that %s fails", async (_, reply, failure) => {
    const { asked, result } = await listen([reply, spoken(["Again."])], chartOf(thrice))
    expect(asked).toHaveLength(failure.retryable ? 2 : 1)
    if (failure.retryable) expect(result.text).toBe("Again.")
    else expect(result).toMatchObject({ status: "failed", error: { code: failure.code } })
    const single = await listen([reply])
    expect(single.result).toMatchObject({
      status: "failed",
      error: { code: failure.code, agent: "clerk" },
    })
  })

  test("status 429 is retried after the requested delay, and a context that is too long is not retried", async () => {
    const busy: Reply = {
      status: 429,
      headers: { "retry-after": "0.05" },
      body: { error: { message: "too many tokens per minute" } },
    }
    const { events, result } = await listen([busy, spoken(["Hello."])], chartOf(thrice))
    expect(events.find(({ type }) => type === "retry.scheduled")).toMatchObject({
      error: { status: 429, retryAfterMs: 50, retryable: true },
    })
    expect(result.text).toBe("Hello.")
    const long = {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        code: "context_length_exceeded",
      },
    }
    const failed = await listen([{ status: 400, body: long }], chartOf(thrice))
    expect(failed.asked).toHaveLength(1)
    expect(failed.result.error?.message).toMatch(
      /maximum context length.*use a model with a larger context/,
    )
  })

  test("a run that is cancelled during a stream emits no further deltas", async () => {
    const { model } = await modelOn([spoken(["one ", "two ", "three"], { chunk: 20 })])
    const run = createRunner({ models: { m: model } }).start(chartOf(), { prompt: "Count." })
    const events: RunEvent[] = []
    run.events$.subscribe((event) => {
      events.push(event)
      if (event.type === "model.delta") run.cancel()
    })
    expect((await run.result).status).toBe("cancelled")
    expect(deltasIn(events)).toEqual(["one "])
    expect(events.at(-1)?.type).toBe("run.finished")
  })
})

describe("an output schema together with tools", () => {
  const outputSchema = {
    type: "object",
    properties: { fine: { type: "boolean" } },
    required: ["fine"],
  }
  const chart = (more: object): AgentChart =>
    chartOf(
      { tools: ["weather"], outputSchema, outputKey: "said", ...more },
      { globalTools: [{ type: "FunctionTool", id: "weather", description: "Looks it up." }] },
    )
  const callsWeather = streamOf([
    chunkOf({
      tool_calls: [{ index: 0, id: "a", function: { name: "weather", arguments: "{}" } }],
    }),
    chunkOf({}, "tool_calls"),
  ])

  test("JSON is only requested after the model has called its tools and its response is not JSON", async () => {
    const { result, asked } = await listen(
      [callsWeather, spoken(["It is fine."]), spoken(['{"fine":', "true}"])],
      chart({ structuredOutputWithTools: true }),
    )
    expect(
      asked.map(({ body }) => [
        body["tools"] !== undefined,
        body["response_format"] !== undefined,
        body["tool_choice"],
      ]),
    ).toEqual([
      [true, false, undefined],
      [true, false, undefined],
      [true, true, "none"],
    ])
    expect(result).toMatchObject({ status: "completed", state: { said: { fine: true } } })
    expect(JSON.stringify(asked[2]?.body["messages"])).toContain("it is not JSON")
  })

  test("a second response that does not match the schema fails with schema_violated", async () => {
    const { result, asked } = await listen(
      [spoken(["Fine."]), spoken(['{"fine":1}'])],
      chart({ structuredOutputWithTools: true }),
    )
    expect(asked).toHaveLength(2)
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "schema_violated", agent: "clerk" },
    })
  })
})
