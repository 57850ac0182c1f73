import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { describe, expect, test } from "vitest"
import { aiSdkModel, type AiSdkModelOptions } from "../../../src/adapters/model/ai-sdk/index.js"
import { compile } from "../../../src/compiler/compile.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { RunEvent } from "../../../src/machines/contract/run-event.js"
import type { StartOptions } from "../../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import type { Asked, Reply } from "./openai-server.js"
import {
  calls,
  chatServer,
  chunkOf,
  completion,
  spoken,
  streamOf,
  usageChunk,
} from "./openai-server.js"

const chartOf = (fields: object = {}, more: object = {}): AgentChart => {
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "clerk",
      agents: [
        { type: "LlmAgent", name: "clerk", model: "m", instruction: "Be brief.", ...fields },
      ],
      ...more,
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const once = { activityConfig: { retryPolicy: { maximumAttempts: 1 } } }
const thrice = { activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "1ms" } } }
const weather = {
  type: "FunctionTool",
  id: "weather",
  description: "Looks it up.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
}

interface Play {
  readonly chart?: AgentChart
  readonly input?: StartOptions
  readonly listens?: boolean
  readonly options?: AiSdkModelOptions
  readonly provider?: string
}

/** Runs a chart with a provider of the SDK and a local server that implements its protocol. */
async function play(
  script: readonly Reply[],
  {
    chart = chartOf(once),
    input = { prompt: "Hello." },
    listens = false,
    options = {},
    provider: name = "loopback",
  }: Play = {},
) {
  const { baseUrl, asked } = await chatServer(script)
  const provider = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  const run = createRunner({
    models: { m: aiSdkModel(provider("gpt-5"), options) },
    services: { weather: (_, args) => ({ fine: (args as { city?: string }).city ?? "here" }) },
  }).start(chart, input)
  const events: RunEvent[] = []
  const listening = listens ? run.events$.subscribe((event) => events.push(event)) : null
  const result = await run.result
  if (listening === null) run.events$.subscribe((event) => events.push(event)).unsubscribe()
  const deltas = events.flatMap((event) => (event.type === "model.delta" ? [event.text] : []))
  return { result, asked, events, deltas }
}

const messagesOf = (asked: Asked | undefined): unknown[] => asked?.body["messages"] as unknown[]

describe("a model of the AI SDK", () => {
  test("receives requests in the format of its provider, and its usage is counted", async () => {
    const chart = chartOf({
      ...once,
      generateContentConfig: { temperature: 0.2, max_output_tokens: 50, stopSequences: ["END"] },
    })
    const { result, asked, deltas } = await play([completion({ content: "Hello!" })], {
      chart,
      options: { headers: { "x-team": "blue" } },
    })
    expect(result).toMatchObject({
      status: "completed",
      text: "Hello!",
      usage: { modelCalls: 1, inputTokens: 11, outputTokens: 3 },
    })
    expect(asked[0]?.body).toMatchObject({
      model: "gpt-5",
      messages: [
        { role: "system", content: 'You are the agent "clerk".\n\nBe brief.' },
        { role: "user", content: "Hello." },
      ],
      temperature: 0.2,
      max_tokens: 50,
      stop: ["END"],
    })
    expect(asked[0]?.headers["x-team"]).toBe("blue")
    expect(deltas).toEqual([])
  })

  test("streams its response if the run has a subscriber, whatever the size of the chunks", async () => {
    const words = ["Grüße ", "aus 日本", " 🎉"]
    const { result, asked, deltas } = await play([spoken(words, { chunk: 7 })], { listens: true })
    expect(asked[0]?.body).toMatchObject({ stream: true })
    expect(deltas).toEqual(words)
    expect(result).toMatchObject({
      text: words.join(""),
      usage: { inputTokens: 11, outputTokens: 3 },
    })
  })

  test.each([false, true])("calls tools that the run executes (streamed: %s)", async (listens) => {
    const chart = chartOf({ ...once, tools: ["weather"] }, { globalTools: [weather] })
    const asks = listens
      ? streamOf([
          chunkOf({
            tool_calls: [
              {
                index: 0,
                id: "a",
                type: "function",
                function: { name: "weather", arguments: '{"ci' },
              },
            ],
          }),
          chunkOf({ tool_calls: [{ index: 0, function: { arguments: 'ty":"Oslo"}' } }] }),
          chunkOf({}, "tool_calls"),
          usageChunk,
        ])
      : calls("weather", { city: "Oslo" }, "a")
    const { result, asked } = await play(
      [asks, listens ? spoken(["Fine."]) : completion({ content: "Fine." })],
      { chart, listens },
    )
    expect(result).toMatchObject({
      text: "Fine.",
      usage: { modelCalls: 2, toolCalls: 1, inputTokens: 22 },
    })
    expect(asked[0]?.body["tools"]).toMatchObject([
      {
        type: "function",
        function: { name: "weather", description: "Looks it up.", parameters: weather.parameters },
      },
    ])
    expect(messagesOf(asked[1]).slice(2)).toMatchObject([
      {
        role: "assistant",
        tool_calls: [
          {
            id: "a",
            type: "function",
            function: { name: "weather", arguments: '{"city":"Oslo"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "a", content: '{"fine":"Oslo"}' },
    ])
  })

  test("receives images and files", async () => {
    const prompt = [
      { text: "What is this?" },
      { inline_data: { mime_type: "image/png", data: "iVBORw0KGgo=" } },
      { inline_data: { mime_type: "application/pdf", data: "JVBERi0=" } },
    ]
    const { asked } = await play([completion({ content: "A picture." })], { input: { prompt } })
    const told = JSON.stringify(messagesOf(asked[0]).at(-1))
    expect(told).toContain("data:image/png;base64,iVBORw0KGgo=")
    expect(told).toContain("JVBERi0=")
  })

  test("a call of an unknown tool is answered by the run, not by the SDK", async () => {
    const chart = chartOf({ ...once, tools: ["weather"] }, { globalTools: [weather] })
    const { result, asked } = await play(
      [calls("magic", { a: 1 }, "a"), completion({ content: "Sorry." })],
      { chart },
    )
    expect(result.text).toBe("Sorry.")
    expect(JSON.stringify(messagesOf(asked[1]))).toContain("magic")
  })

  const outputSchema = {
    type: "object",
    properties: { fine: { type: "boolean" } },
    required: ["fine"],
  }

  test.each([false, true])(
    "receives the output schema, but with tools only for its final response (streamed: %s)",
    async (listens) => {
      const says = (text: string): Reply =>
        listens ? spoken([text]) : completion({ content: text })
      const alone = await play([says('{"fine":true}')], {
        chart: chartOf({ ...once, outputSchema, outputKey: "said" }),
        listens,
      })
      expect(alone.asked[0]?.body["response_format"]).toMatchObject({
        type: "json_schema",
        json_schema: { schema: outputSchema },
      })
      expect(alone.result.state).toMatchObject({ said: { fine: true } })
      const chart = chartOf(
        {
          ...once,
          tools: ["weather"],
          outputSchema,
          outputKey: "said",
          structuredOutputWithTools: true,
        },
        { globalTools: [weather] },
      )
      const { asked, result } = await play([says("It is fine."), says('{"fine":true}')], {
        chart,
        listens,
      })
      expect(
        asked.map(({ body }) => [body["response_format"] !== undefined, body["tool_choice"]]),
      ).toEqual([
        [false, "auto"],
        [true, "none"],
      ])
      expect(result.state).toMatchObject({ said: { fine: true } })
    },
  )

  const long = {
    error: {
      message: "This model's maximum context length is 8192 tokens.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  }
  const streamedChunks = spoken(["Good ", "morning."])

  test.each<[string, Reply, { readonly code: string; readonly retryable: boolean }, boolean]>([
    [
      "status 429 with Retry-After",
      {
        status: 429,
        headers: { "retry-after": "0.05" },
        body: { error: { message: "slow down" } },
      },
      { code: "model_call_failed", retryable: true },
      false,
    ],
    [
      "status 503",
      { status: 503, body: "busy" },
      { code: "model_call_failed", retryable: true },
      true,
    ],
    [
      "status 401",
      { status: 401, body: { error: { message: "no such key" } } },
      { code: "model_call_failed", retryable: false },
      false,
    ],
    [
      "a context that is too long",
      { status: 400, body: long },
      { code: "model_call_failed", retryable: false },
      true,
    ],
    [
      "a response that is not JSON",
      { body: "not json" },
      { code: "service_answer_malformed", retryable: true },
      false,
    ],
    [
      "a lost connection",
      { ...completion({ content: "cut" }), cutAfter: 20 },
      { code: "service_unreachable", retryable: true },
      false,
    ],
    [
      "an interrupted stream",
      { ...streamedChunks, cutAfter: 300, chunk: 50 },
      { code: "service_unreachable", retryable: true },
      true,
    ],
    [
      "a stream that ends between two words",
      streamOf([chunkOf({ content: "Good" })], { end: "" }),
      { code: "service_answer_malformed", retryable: true },
      true,
    ],
    [
      "a stream with an event that is not JSON",
      streamOf([chunkOf({ content: "Good" })], { end: "{broken" }),
      { code: "service_answer_malformed", retryable: true },
      true,
    ],
    [
      "a stream that contains an error",
      streamOf([chunkOf({ content: "Good" }), { error: { message: "overloaded" } }]),
      { code: "model_call_failed", retryable: true },
      true,
    ],
    [
      "a tool call with arguments that are not JSON",
      calls("weather", "{broken"),
      { code: "service_answer_malformed", retryable: true },
      false,
    ],
  ])("%s is a failure with an error code", async (_, reply, { code, retryable }, listens) => {
    const good = listens ? spoken(["Again."]) : completion({ content: "Again." })
    const tools = { tools: ["weather"] }
    const single = await play([reply], {
      chart: chartOf({ ...once, ...tools }, { globalTools: [weather] }),
      listens,
    })
    expect(single.result).toMatchObject({ status: "failed", error: { code, agent: "clerk" } })
    const { asked, result, events } = await play([reply, good], {
      chart: chartOf({ ...thrice, ...tools }, { globalTools: [weather] }),
      listens,
    })
    expect([result.text, asked.length]).toEqual(retryable ? ["Again.", 2] : [null, 1])
    if (reply.status === 429)
      expect(events.find(({ type }) => type === "retry.scheduled")).toMatchObject({
        error: { status: 429, retryAfterMs: 50 },
      })
    if (reply.body === long)
      expect(result.error?.message).toMatch(/maximum context length.*larger context/)
  })

  test.each([false, true])(
    "the provider receives its reasoning and signatures with the results of calls (streamed: %s)",
    async (listens) => {
      const chart = chartOf({ ...once, tools: ["weather"] }, { globalTools: [weather] })
      const call = {
        index: 0,
        id: "a",
        type: "function",
        function: { name: "weather", arguments: '{"city":"Oslo"}' },
        extra_content: { google: { thought_signature: "signed" } },
      }
      const asks = listens
        ? streamOf([
            chunkOf({ reasoning_content: "Look at " }),
            chunkOf({ reasoning_content: "the sky." }),
            chunkOf({ tool_calls: [call] }),
            chunkOf({}, "tool_calls"),
            usageChunk,
          ])
        : completion({ reasoning_content: "Look at the sky.", tool_calls: [call] })
      const { result, asked, deltas } = await play(
        [asks, listens ? spoken(["Fine."]) : completion({ content: "Fine." })],
        { chart, listens, provider: "google" },
      )
      expect(result.text).toBe("Fine.")
      expect(deltas.join("")).toBe(listens ? "Fine." : "")
      expect(messagesOf(asked[1])[2]).toMatchObject({
        role: "assistant",
        reasoning_content: "Look at the sky.",
        tool_calls: [{ id: "a", extra_content: { google: { thought_signature: "signed" } } }],
      })
    },
  )

  test("the model receives the arguments that a person has edited", async () => {
    const { baseUrl, asked } = await chatServer([
      completion({
        reasoning_content: "Oslo.",
        tool_calls: [
          {
            id: "a",
            type: "function",
            function: { name: "weather", arguments: '{"city":"Oslo"}' },
          },
        ],
      }),
      completion({ content: "Fine." }),
    ])
    const m = aiSdkModel(createOpenAICompatible({ name: "loopback", baseURL: baseUrl })("x"))
    const chart = chartOf(
      { ...once, tools: ["weather"] },
      { globalTools: [{ ...weather, requireConfirmation: true }] },
    )
    const run = createRunner({
      models: { m },
      services: { weather: () => ({ fine: true }) },
    }).start(chart, { prompt: "Go." })
    await run.whenSettled()
    run.approve(run.pending()[0]?.id ?? "", { args: { city: "Lima" } })
    expect((await run.result).text).toBe("Fine.")
    expect(JSON.stringify(messagesOf(asked[1])[2])).toContain("Lima")
  })

  test("a chart can use several models", async () => {
    const { baseUrl } = await chatServer([
      completion({ content: "one" }),
      completion({ content: "two" }),
    ])
    const provider = createOpenAICompatible({ name: "loopback", baseURL: baseUrl })
    const { chart } = compile(
      {
        rootAgentId: "all",
        agents: [
          { type: "SequentialAgent", name: "all", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
          { type: "LlmAgent", name: "a", model: "first" },
          { type: "LlmAgent", name: "b", model: "second" },
        ],
      },
      { dialect: "adk" },
    )
    if (chart === null) throw new Error("the chart does not compile")
    const { usage, text } = await createRunner({
      models: { first: aiSdkModel(provider("x")), second: aiSdkModel(provider("y")) },
    }).start(chart, { prompt: "Go." }).result
    expect({ text, usage }).toMatchObject({
      text: "two",
      usage: { modelCalls: 2, inputTokens: 22, outputTokens: 6 },
    })
  })
})
