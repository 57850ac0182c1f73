import { serve } from "@hono/node-server"
import { DefaultChatTransport, getToolName, isToolUIPart, readUIMessageStream } from "ai"
import type { AddressInfo } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { openAiModel } from "../../../src/adapters/model/openai/index.js"
import type {
  RunUiMessage,
  RunMessageOptions,
} from "../../../src/adapters/protocol/ai-sdk-ui/index.js"
import {
  approvalsIn,
  runMessageResponse,
  runMessageStream,
} from "../../../src/adapters/protocol/ai-sdk-ui/index.js"
import { compile } from "../../../src/compiler/compile.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { ModelService } from "../../../src/machines/contract/services.js"
import type { RunnerOptions } from "../../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import type { Run } from "../../../src/runtime/run/run.js"
import type { Reply } from "../model/openai-server.js"
import { chatServer, chunkOf, completion, spoken, streamOf } from "../model/openai-server.js"

const chartOf = (agents: readonly object[], more: object = {}): AgentChart => {
  const { chart, diagnostics } = compile(
    { rootAgentId: "clerk", agents, ...more },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const clerk = {
  type: "LlmAgent",
  name: "clerk",
  model: "m",
  activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" } },
}

/** Returns a function that starts the run on the first call, and returns the same run on later calls. */
async function starting(
  script: readonly Reply[],
  chart = chartOf([clerk]),
  more: RunnerOptions = {},
): Promise<() => Run> {
  const { baseUrl } = await chatServer(script)
  const model = openAiModel({ baseUrl })
  onTestFinished(() => model.close())
  let run: Run | null = null
  return () =>
    (run ??= createRunner({ models: { m: model }, ...more }).start(chart, { prompt: "Hello." }))
}

/**
 * Returns the message that a frontend has at the end of the stream, read through HTTP, the
 * transport of `useChat` and the SDK's reader.
 */
async function shown(
  run: () => Run,
  options: RunMessageOptions = {},
  message?: RunUiMessage,
): Promise<{
  readonly message: RunUiMessage
  readonly errors: readonly string[]
  readonly growth: readonly string[]
}> {
  const server = serve({
    fetch: () => runMessageResponse(run(), options),
    port: 0,
    hostname: "127.0.0.1",
  })
  await new Promise((resolve) => server.once("listening", resolve))
  onTestFinished(() => void server.close())
  const transport = new DefaultChatTransport<RunUiMessage>({
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  })
  const stream = await transport.sendMessages({
    trigger: "submit-message",
    chatId: "chat",
    messageId: undefined,
    messages: [],
    abortSignal: undefined,
  })
  const errors: string[] = []
  const growth: string[] = []
  let last: RunUiMessage | undefined = message
  for await (const state of readUIMessageStream<RunUiMessage>({
    ...(message !== undefined && { message: structuredClone(message) }),
    stream,
    onError: (error) => errors.push(String(error)),
  })) {
    last = state
    growth.push(textOf(state))
  }
  if (last === undefined) throw new Error("the stream has told nothing")
  return { message: last, errors, growth: [...new Set(growth)] }
}

const textOf = ({ parts }: RunUiMessage): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("|")

const toolsOf = ({ parts }: RunUiMessage): unknown[] =>
  parts
    .filter(isToolUIPart)
    .map((part) => [
      getToolName(part),
      part.toolCallId,
      part.state,
      part.input,
      part.output ?? part.errorText,
    ])

describe("a run as a message of the AI SDK", () => {
  test("the text grows with each delta, and the metadata contain the status of the run", async () => {
    const run = await starting([spoken(["Good ", "mor", "ning."])])
    const { message, growth, errors } = await shown(run, { messageId: "message-1" })
    expect(growth).toEqual(["", "Good ", "Good mor", "Good morning."])
    expect(message).toMatchObject({
      id: "message-1",
      role: "assistant",
      metadata: { runId: run().runId, status: "completed", seq: expect.any(Number) },
    })
    expect(message.parts).toMatchObject([
      {
        type: "text",
        text: "Good morning.",
        state: "done",
        providerMetadata: { "agent-statecharts": { agent: "clerk", path: "clerk" } },
      },
    ])
    expect(errors).toEqual([])
  })

  test("the response has the headers that useChat expects", async () => {
    const { headers, body } = runMessageResponse((await starting([spoken(["Hi."])]))(), {
      headers: { "x-own": "1" },
    })
    await body?.cancel()
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/event-stream",
      "x-vercel-ai-ui-message-stream": "v1",
      "x-own": "1",
    })
  })

  test("a stream that is opened late starts with the whole previous text", async () => {
    const run = await starting([completion({ content: "Good morning." })])
    await run().whenSettled()
    expect((await shown(run)).growth).toEqual(["", "Good morning."])
  })

  const weather = {
    globalTools: [{ type: "FunctionTool", id: "weather", description: "Looks it up." }],
  }
  const callsWeather = (id: string, text = ""): Reply =>
    streamOf([
      chunkOf({ content: text }),
      chunkOf({
        tool_calls: [{ index: 0, id, function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
      }),
      chunkOf({}, "tool_calls"),
    ])

  test("tool calls are parts between the texts, including failed calls and calls with a repeated id", async () => {
    let times = 0
    const services = {
      weather: () => {
        if (++times > 1) throw new Error("no sky")
        return { fine: true }
      },
    }
    const run = await starting(
      [callsWeather("c", "Let me look."), callsWeather("c"), spoken(["Fine."])],
      chartOf([{ ...clerk, tools: ["weather"] }], weather),
      { services },
    )
    const { message } = await shown(run)
    expect(message.parts.map(({ type }) => type)).toEqual([
      "text",
      "dynamic-tool",
      "dynamic-tool",
      "text",
    ])
    expect(toolsOf(message)).toEqual([
      ["weather", "c", "output-available", { city: "Oslo" }, { fine: true }],
      ["weather", "c~2", "output-error", { city: "Oslo" }, expect.stringContaining("no sky")],
    ])
  })

  test("agents that respond at the same time have separate parts", async () => {
    const chart = chartOf([
      { type: "ParallelAgent", name: "clerk", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
      { type: "LlmAgent", name: "a", model: "a" },
      { type: "LlmAgent", name: "b", model: "b" },
    ])
    // The two models alternate, word by word.
    const goOn: (() => void)[] = []
    const turns = [0, 1].map((own) => new Promise<void>((resolve) => (goOn[own] = resolve)))
    const speaker = (words: readonly string[], own: number): ModelService => ({
      async call(_request, { live }) {
        await new Promise((resolve) => setTimeout(resolve))
        for (const word of words) {
          live?.write(word)
          goOn[1 - own]?.()
          await turns[own]
        }
        return { content: words.join("") }
      },
    })
    const runner = createRunner({
      models: { a: speaker(["A", "aa"], 0), b: speaker(["B", "bb"], 1) },
    })
    const { message, errors } = await shown(() => runner.start(chart, { prompt: "Go." }))
    expect(errors).toEqual([])
    expect(textOf(message).split("|").sort()).toEqual(["Aaa", "Bbb"])
  })

  test("the text part of a failed attempt ends, and a data-retry part follows", async () => {
    const whole = spoken(["Good ", "morning."])
    const { message } = await shown(
      await starting([{ ...whole, cutAfter: 450, chunk: 50 }, spoken(["Good evening."])]),
    )
    expect(message.parts).toMatchObject([
      { type: "text", state: "done" },
      { type: "data-retry", data: { agent: "clerk", attempt: 2 } },
      { type: "text", text: "Good evening.", state: "done" },
    ])
  })

  test("the stream of a failed run contains the error code, or the result of errorText", async () => {
    const refused: Reply = { status: 401, body: { error: { message: "key sk-1 is unknown" } } }
    expect((await shown(await starting([refused]))).errors).toEqual([
      "Error: The run has failed (model_call_failed).",
    ])
    expect(
      (await shown(await starting([refused]), { errorText: ({ agent }) => `${agent} is not here` }))
        .errors,
    ).toEqual(["Error: clerk is not here"])
  })

  test("cancelling the stream does not stop the run", async () => {
    const run = await starting([completion({ content: "Good morning." })])
    await runMessageStream(run()).cancel()
    expect((await run().result).text).toBe("Good morning.")
  })
})

describe("approvals in a chat", () => {
  const confirmed = chartOf([{ ...clerk, tools: ["order"] }], {
    globalTools: [
      { type: "FunctionTool", id: "order", description: "Orders it.", requireConfirmation: true },
    ],
  })
  const orders = streamOf([
    chunkOf({
      tool_calls: [{ index: 0, id: "c1", function: { name: "order", arguments: '{"cakes":2}' } }],
    }),
    chunkOf({}, "tool_calls"),
  ])

  test.each([
    [true, ["order", "c1", "output-available", { cakes: 2 }, { ordered: 2 }]],
    [false, ["order", "c1", "output-error", { cakes: 2 }, "rejected by a person: too sweet"]],
  ])(
    "a tool call waits for approval, and the next stream continues the message (approved: %s)",
    async (approved, expected) => {
      const run = await starting([orders, spoken(["Done."])], confirmed, {
        services: { order: (_, args) => ({ ordered: (args as { cakes: number }).cakes }) },
      })
      const first = (await shown(run)).message
      expect(first.metadata).toMatchObject({ status: "waiting" })
      const [part] = first.parts.filter(isToolUIPart)
      expect(part).toMatchObject({
        state: "approval-requested",
        toolCallId: "c1",
        input: { cakes: 2 },
        approval: { id: run().pending()[0]?.id },
      })
      expect(first.parts.find(({ type }) => type === "data-request")).toMatchObject({
        data: { kind: "approval", state: "open" },
      })
      if (part?.state !== "approval-requested") throw new Error("nobody was asked")

      // The message as `addToolApprovalResponse` of `useChat` changes it.
      const answered = {
        ...first,
        parts: first.parts.map((each) =>
          each === part
            ? {
                ...part,
                state: "approval-responded",
                approval: { id: part.approval.id, approved, reason: "too sweet" },
              }
            : each,
        ),
      } as RunUiMessage
      const given = approvalsIn([answered])
      expect(given).toEqual([
        { id: run().pending()[0]?.id, isApproved: approved, reason: "too sweet" },
      ])
      for (const { id, isApproved, reason } of given) {
        if (isApproved) run().approve(id)
        else run().reject(id, reason)
      }

      const { message, errors } = await shown(run, { after: first.metadata?.seq ?? -1 }, answered)
      expect(errors).toEqual([])
      expect(toolsOf(message)).toEqual([expected])
      expect(message.parts.filter(({ type }) => type === "data-request")).toMatchObject([
        { data: { state: "answered" } },
      ])
      expect(textOf(message)).toBe("Done.")
      expect(message.metadata).toMatchObject({ status: "completed" })
    },
  )

  test("the next stream can also be a separate message", async () => {
    const run = await starting([orders, spoken(["Done."])], confirmed, {
      services: { order: () => ({ ordered: 2 }) },
    })
    const { metadata } = (await shown(run)).message
    run().approve(run().pending()[0]?.id ?? "")
    const { message, errors } = await shown(run, { after: metadata?.seq ?? -1 })
    expect(errors).toEqual([])
    expect(toolsOf(message)).toEqual([
      ["order", "c1", "output-available", { cakes: 2 }, { ordered: 2 }],
    ])
  })
})
