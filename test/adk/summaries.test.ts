import { describe, expect, test } from "vitest"
import type { BaseSummarizer, Event, LlmRequest, LlmResponse } from "agent-statecharts/adk"
import {
  BaseLlm,
  createEvent,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  LlmSummarizer,
  TokenBasedContextCompactor,
} from "agent-statecharts/adk"

const text = (said: string) => ({ role: "user", parts: [{ text: said }] })

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** Returns a summarizer that records the events that it receives. */
function listing() {
  const asked: string[][] = []
  const summarizer: BaseSummarizer = {
    summarize: async (events) => {
      asked.push(events.map(({ author, content }) => `${author}: ${content?.parts?.[0]?.text}`))
      return {
        ...createEvent({ author: "system" }),
        isCompacted: true,
        startTime: 0,
        endTime: 0,
        compactedContent: `summary ${asked.length}`,
      }
    },
  }
  return { asked, summarizer }
}

/** Sends messages to an agent and returns the messages of each model call, without the system message. */
async function play(
  compactor: TokenBasedContextCompactor,
  messages: readonly string[],
  answers: readonly object[],
  tools: readonly FunctionTool[] = [],
) {
  const left = [...answers]
  const seen: unknown[][] = []
  const call = async ({ messages: sent }: Request) => {
    seen.push(sent.filter(({ role }) => role !== "system").map(({ content }) => content))
    return left.shift() ?? { content: `answer ${seen.length}` }
  }
  const agent = new LlmAgent({ name: "a", model: "small", contextCompactors: [compactor], tools })
  const runner = new InMemoryRunner({ agent, models: { small: { call } } })
  const { appName } = runner
  const { id } = await runner.sessionService.createSession({ appName, userId: "ada" })
  for (const message of messages)
    for await (const _ of runner.runAsync({
      userId: "ada",
      sessionId: id,
      newMessage: text(message),
    }))
      continue
  const session = await runner.sessionService.getSession({ appName, userId: "ada", sessionId: id })
  return { seen, session }
}

describe("TokenBasedContextCompactor", () => {
  test("old contents are replaced with a summary, which later requests use again", async () => {
    const { asked, summarizer } = listing()
    const compactor = new TokenBasedContextCompactor({
      tokenThreshold: 3,
      eventRetentionSize: 2,
      summarizer,
    })
    const { seen, session } = await play(compactor, ["one", "two", "three", "four"], [])
    const summary = (index: number) => `[Previous Context Summary]:\nsummary ${index}`
    expect(seen).toEqual([
      ["one"],
      [summary(1), "answer 1", "two"],
      [summary(2), "answer 2", "three"],
      [summary(3), "answer 3", "four"],
    ])
    expect(asked).toEqual([
      ["user: one"],
      [`user: ${summary(1)}`, "a: answer 1", "user: two"],
      [`user: ${summary(2)}`, "a: answer 2", "user: three"],
    ])
    // The session keeps all messages, and the summary is not part of its state.
    expect(session?.events).toHaveLength(8)
    expect(session?.state).toEqual({})
  })

  test("the threshold is compared with the tokens of the last response", async () => {
    const usage = (inputTokens: number) => ({
      content: "ok",
      usage: { inputTokens, outputTokens: 1 },
    })
    const { asked, summarizer } = listing()
    const compactor = new TokenBasedContextCompactor({
      tokenThreshold: 100,
      eventRetentionSize: 1,
      summarizer,
    })
    const answers = [usage(50), usage(101), usage(20), usage(20)]
    const { seen } = await play(compactor, ["one", "two", "three", "four"], answers)
    expect(asked).toEqual([["user: one", "a: ok", "user: two", "a: ok"]])
    expect(seen.map((contents) => contents.length)).toEqual([1, 3, 2, 4])
  })

  test("a tool call is kept together with its result", async () => {
    const { asked, summarizer } = listing()
    const look = new FunctionTool({ name: "look", description: "Looks.", execute: () => "sea" })
    const compactor = new TokenBasedContextCompactor({
      tokenThreshold: 1,
      eventRetentionSize: 1,
      summarizer,
    })
    const { seen } = await play(
      compactor,
      ["What is there to see?"],
      [{ toolCalls: [{ id: "1", function_name: "look", function_args: {} }] }],
      [look],
    )
    expect(asked).toEqual([["user: What is there to see?"]])
    expect(JSON.stringify(seen[1])).toMatch(/Summary.*function_call.*function_response/)
  })

  test("nothing changes below the threshold, and invalid numbers are refused", async () => {
    const { asked, summarizer } = listing()
    const options = { tokenThreshold: 1000, eventRetentionSize: 0, summarizer }
    await play(new TokenBasedContextCompactor(options), ["one", "two"], [])
    expect(asked).toEqual([])
    for (const change of [{ tokenThreshold: -1 }, { eventRetentionSize: Number.NaN }])
      expect(() => new TokenBasedContextCompactor({ ...options, ...change })).toThrow(/the number/)
  })

  test("a failed summary fails the invocation", async () => {
    const summarizer = { summarize: () => Promise.reject(new Error("no power")) }
    const options = { tokenThreshold: 0, eventRetentionSize: 0, summarizer }
    await expect(play(new TokenBasedContextCompactor(options), ["one"], [])).rejects.toThrow(
      /no power/,
    )
  })
})

describe("LlmSummarizer", () => {
  class Scripted extends BaseLlm {
    readonly responses: readonly LlmResponse[]
    readonly requests: LlmRequest[] = []
    constructor(responses: readonly LlmResponse[]) {
      super({ model: "scripted" })
      this.responses = responses
    }
    override async *generateContentAsync(request: LlmRequest) {
      this.requests.push(request)
      yield* this.responses
    }
    override connect(): never {
      throw new Error("not live")
    }
  }
  const events: Event[] = [
    createEvent({ author: "user", content: text("Hi."), timestamp: 5 }),
    createEvent({
      author: "a",
      content: { role: "model", parts: [{ text: "Hello." }] },
      timestamp: 9,
    }),
  ]

  test("LlmSummarizer sends the events with their authors to the model and returns the summary", async () => {
    const llm = new Scripted([
      { partial: true, content: { parts: [{ text: "They " }] } },
      { content: { parts: [{ text: "greeted." }] } },
    ])
    const summary = await new LlmSummarizer({ llm, prompt: "Sum up." }).summarize(events)
    expect(summary).toMatchObject({
      author: "system",
      isCompacted: true,
      startTime: 5,
      endTime: 9,
      compactedContent: "They greeted.",
      content: { role: "model", parts: [{ text: "They greeted." }] },
    })
    expect(llm.requests[0]?.contents[0]?.parts?.[0]?.text).toBe(
      "Sum up.\n\n[Event 1 - Author: user]\nHi.\n\n[Event 2 - Author: a]\nHello.\n\n",
    )
  })

  test("LlmSummarizer has a default prompt and refuses empty lists and empty summaries", async () => {
    const llm = new Scripted([])
    const summarizer = new LlmSummarizer({ llm })
    await expect(summarizer.summarize(events)).rejects.toMatchObject({
      code: "service_answer_malformed",
    })
    expect(llm.requests[0]?.contents[0]?.parts?.[0]?.text).toMatch(/Summarize/)
    await expect(summarizer.summarize([])).rejects.toMatchObject({ code: "argument_invalid" })
  })
})
