import { describe, expect, onTestFinished, test } from "vitest"
import type { OpenAiModelOptions } from "../../../src/adapters/model/openai/index.js"
import { openAiModel } from "../../../src/adapters/model/openai/index.js"
import { compile } from "../../../src/compiler/compile.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { RunEvent } from "../../../src/machines/contract/run-event.js"
import { memoryJournal } from "../../../src/runtime/host/memory-journal.js"
import type { HostService } from "../../../src/runtime/host/host-service.js"
import type { StartOptions } from "../../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import type { Asked, Reply } from "./openai-server.js"
import { calls, chatServer, completion } from "./openai-server.js"

const chartOf = (fields: object, more: object = {}): AgentChart => {
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "clerk",
      agents: [
        {
          type: "LlmAgent",
          name: "clerk",
          model: "openai:gpt-5",
          instruction: "Be brief.",
          ...fields,
        },
      ],
      ...more,
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

async function run(
  chart: AgentChart,
  script: readonly Reply[],
  input: StartOptions = { prompt: "Hello." },
  options: OpenAiModelOptions = {},
  services: Readonly<Record<string, HostService>> = {},
) {
  const { baseUrl, asked } = await chatServer(script)
  const model = openAiModel({ baseUrl, stream: false, ...options })
  onTestFinished(() => model.close())
  const journal = memoryJournal()
  const started = createRunner({ models: { "openai:gpt-5": model }, services, journal }).start(
    chart,
    input,
  )
  const events: RunEvent[] = []
  started.events$.subscribe((event) => events.push(event))
  const result = await started.result
  return { result, asked, told: JSON.stringify([events, journal.toJSON(), result]) }
}

const messagesOf = (asked: Asked | undefined): readonly { readonly content: unknown }[] =>
  asked?.body["messages"] as ReturnType<typeof messagesOf>

describe("a model behind the chat completions API", () => {
  test("receives requests in the format of the API, and its usage is counted", async () => {
    const { result, asked } = await run(
      chartOf({
        generateContentConfig: { temperature: 0.2, max_output_tokens: 50, safetySettings: [] },
      }),
      [completion({ content: "Hello!" })],
    )
    expect(result).toMatchObject({
      status: "completed",
      text: "Hello!",
      usage: { modelCalls: 1, inputTokens: 11, outputTokens: 3 },
    })
    expect(asked[0]?.body).toEqual({
      model: "gpt-5",
      messages: [
        { role: "system", content: 'You are the agent "clerk".\n\nBe brief.' },
        { role: "user", content: "Hello." },
      ],
      temperature: 0.2,
      max_completion_tokens: 50,
    })
    expect(asked[0]?.headers["idempotency-key"]).toMatch(/clerk#0$/)
  })

  test("receives the tool declarations, its calls, and a separate message for each result", async () => {
    const parameters = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    }
    const chart = chartOf(
      { tools: ["weather"] },
      {
        globalTools: [
          { type: "FunctionTool", id: "weather", description: "Looks it up.", parameters },
        ],
      },
    )
    const two = completion({
      tool_calls: ["Oslo", "Lima"].map((city, index) => ({
        id: `c${index}`,
        type: "function",
        function: { name: "weather", arguments: JSON.stringify({ city }) },
      })),
    })
    const { result, asked } = await run(
      chart,
      [two, completion({ content: "Both are fine." })],
      undefined,
      {},
      { weather: (_, args) => ({ fine: (args as { city: string }).city }) },
    )
    expect(result.text).toBe("Both are fine.")
    expect(asked[0]?.body["tools"]).toEqual([
      { type: "function", function: { name: "weather", description: "Looks it up.", parameters } },
    ])
    expect(messagesOf(asked[1]).slice(2)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: ["Oslo", "Lima"].map((city, index) => ({
          id: `c${index}`,
          type: "function",
          function: { name: "weather", arguments: JSON.stringify({ city }) },
        })),
      },
      { role: "tool", tool_call_id: "c0", content: '{"fine":"Oslo"}' },
      { role: "tool", tool_call_id: "c1", content: '{"fine":"Lima"}' },
    ])
  })

  test("the response format is the output schema of an agent without tools", async () => {
    const outputSchema = {
      type: "object",
      properties: { capital: { type: "string" } },
      required: ["capital"],
    }
    const { result, asked } = await run(chartOf({ outputSchema, outputKey: "answer" }), [
      completion({ content: '{"capital":"Lima"}' }),
    ])
    expect(asked[0]?.body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema: outputSchema },
    })
    expect(result.state).toMatchObject({ answer: { capital: "Lima" } })
  })

  test("receives images and files", async () => {
    const prompt = [
      { text: "What is this?" },
      { inline_data: { mime_type: "image/png", data: "iVBORw0KGgo=" } },
      { inline_data: { mime_type: "application/pdf", data: "JVBERi0=" } },
      { file_data: { file_uri: "https://pictures.test/a.png" } },
    ]
    const { asked } = await run(chartOf({}), [completion({ content: "A picture." })], { prompt })
    expect(messagesOf(asked[0]).at(-1)?.content).toEqual([
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      {
        type: "file",
        file: { filename: "file.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
      },
      { type: "image_url", image_url: { url: "https://pictures.test/a.png" } },
    ])
  })

  test("is called again after status 429, a lost connection and a malformed response", async () => {
    const activityConfig = { retryPolicy: { maximumAttempts: 5, initialInterval: "1ms" } }
    const script = [
      { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } },
      { ...completion({ content: "cut" }), cutAfter: 20 },
      { body: "not json" },
      calls("weather", "{broken"),
      completion({ content: "At last." }),
    ]
    const { result, asked } = await run(chartOf({ activityConfig }), script)
    expect(result).toMatchObject({
      status: "completed",
      text: "At last.",
      usage: { modelCalls: 1 },
    })
    expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
    expect(new Set(asked.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test("a context that is too long fails without a retry, with the message of the server", async () => {
    const body = {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        type: "invalid_request_error",
        code: "context_length_exceeded",
      },
    }
    const { result, asked } = await run(
      chartOf({ activityConfig: { retryPolicy: { maximumAttempts: 3 } } }),
      [{ status: 400, body }],
    )
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "model_call_failed",
        agent: "clerk",
        status: 400,
        message: expect.stringContaining("maximum context length"),
      },
    })
    expect(asked).toHaveLength(1)
  })

  test.each([
    [
      "a refusal is the text of the response",
      completion({ refusal: "I will not." }),
      { status: "completed", text: "I will not." },
    ],
    [
      "a response that is empty because of the token limit fails",
      { body: { choices: [{ message: { content: null }, finish_reason: "length" }] } },
      { status: "failed", error: { code: "service_answer_malformed" } },
    ],
    [
      "a response without choices fails",
      { body: { choices: [] } },
      { status: "failed", error: { code: "service_answer_malformed" } },
    ],
    [
      "a tool call without a name fails",
      completion({ tool_calls: [{ function: {} }] }),
      { status: "failed", error: { code: "service_answer_malformed" } },
    ],
  ])("%s", async (_, reply, expected) => {
    expect((await run(chartOf({}), [reply])).result).toMatchObject(expected)
  })

  test("the API key is sent, and masked if the server repeats it", async () => {
    const apiKey = "sk-canary-0123456789"
    const sent = await run(
      chartOf({}),
      [completion({ content: `You sent ${apiKey}` })],
      undefined,
      { apiKey, headers: { "x-team": "blue" }, body: { store: false } },
    )
    expect(sent.asked[0]).toMatchObject({
      headers: { authorization: `Bearer ${apiKey}`, "x-team": "blue" },
      body: { store: false },
    })
    expect(sent.told).not.toContain(apiKey)
    const failed = await run(
      chartOf({}),
      [{ status: 401, body: { error: { message: `Incorrect API key provided: ${apiKey}` } } }],
      undefined,
      { apiKey },
    )
    expect(failed.result).toMatchObject({ status: "failed", error: { status: 401 } })
    expect(failed.told).not.toContain(apiKey)
  })
})
