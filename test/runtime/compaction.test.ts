import { describe, expect, test } from "vitest"
import { explainContextLength } from "../../src/adapters/model/context-length.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile, readPolicies } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelRequest } from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import type { PolicySet } from "../../src/policies/policy.js"
import { replay } from "../../src/runtime/history/replay.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { memorySessionStore } from "../../src/runtime/host/memory-session-store.js"
import type { Run } from "../../src/runtime/run/run.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { agUiTranslation } from "../../src/server/protocols/ag-ui/ag-ui-events.js"
import { ChatLog } from "../../src/studio/page/run/folds/chat-log.js"
import { runChunks } from "../../src/adapters/protocol/ai-sdk-ui/run-chunks.js"
import { interpreters, play } from "../support/in-both-interpreters.js"

const compiled = (config: object, dialect: "graph-compose" | "adk"): AgentChart => {
  const { chart, diagnostics } = compile(config, { dialect })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const composed = (fields: object = {}, more: object = {}): AgentChart =>
  compiled(
    {
      agents: [{ type: "LlmAgent", id: "guide", model: "any", ...fields }],
      rootAgentId: "guide",
      ...more,
    },
    "graph-compose",
  )

const isSummary = ({ agent }: Pick<ModelRequest, "agent">): boolean => agent === "summarizer:guide"

const words = (text: string, times: number): string => Array(times).fill(text).join(" ")

/** A model that answers user messages with long texts, and summarizes. */
function chattyModel({ usage = false, waits = false } = {}) {
  const requests: ModelRequest[] = []
  const call = async (request: ModelRequest): Promise<object> => {
    requests.push(structuredClone({ ...request, state: {} }))
    const asked = requests.filter(isSummary).length
    const content = isSummary(request)
      ? `Summary ${asked}.`
      : `Answer ${requests.length - asked}: ${words("lorem ipsum", 30)}`
    return {
      content,
      ...(waits && { waitForUserInput: true }),
      // This tokenizer counts two characters as one token.
      ...(usage && {
        usage: { inputTokens: Math.ceil(lengthOf(request) / 2), outputTokens: 5 },
      }),
    }
  }
  return { requests, models: { any: { call, signals: true } } }
}

const lengthOf = ({ messages }: Pick<ModelRequest, "messages">): number =>
  messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0)

async function converse(run: Run, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) {
    await run.whenSettled()
    await run.say(`Message ${turn}: ${words("dolor sit amet", 10)}`)
  }
  await run.whenSettled()
}

const settings = { maxModelCalls: 2000, maxModelCallsPerTurn: 2000, maxOrchestrationCycles: 2000 }

const compaction = { maxTokens: 2000 }

describe.each([
  ["graph-compose", composed({ compaction, instructions: "Help." }, settings), true],
  [
    "adk",
    compiled({ name: "guide", model: "any", compaction, instruction: "Help.", ...settings }, "adk"),
    false,
  ],
] as const)("a conversation of 500 turns (%s)", (_dialect, chart, waits) => {
  test.each([
    ["without reported tokens", false, 4],
    ["with reported tokens", true, 2],
  ] as const)("stays below maxTokens and replays exactly, %s", async (_, usage, perToken) => {
    const { requests, models } = chattyModel({ usage, waits })
    const journal = memoryJournal()
    const events: RunEvent[] = []
    const run = createRunner({ models, journal }).start(chart, { runId: "long", prompt: "Hello" })
    run.events$.subscribe((event) => void events.push(event))
    await converse(run, 500)
    await run.end()
    await run.result
    const answered = requests.filter((request) => !isSummary(request))
    expect(answered).toHaveLength(501)
    const sizes = requests.map((request) => lengthOf(request) / perToken)
    // The first calls are made before the model has reported token counts.
    const judged = usage ? sizes.slice(2) : sizes
    expect(Math.max(...judged)).toBeLessThanOrEqual(compaction.maxTokens)
    expect(Math.max(...judged)).toBeGreaterThan(compaction.maxTokens / 2)
    const summaries = requests.filter(isSummary)
    expect(summaries.length).toBeGreaterThan(10)
    expect(summaries.length).toBeLessThan(250)
    const compacted = events.filter(({ type }) => type === "context.compacted")
    expect(compacted).toHaveLength(summaries.length)
    for (const event of compacted)
      expect(event).toMatchObject({ agent: "guide", reason: "max_tokens" })
    // Each summary contains the previous one, so nothing is lost.
    expect(JSON.stringify(summaries[1]?.messages)).toContain("Summary 1.")
    expect(JSON.stringify(answered.at(-1)?.messages)).toContain(`Summary ${summaries.length}.`)

    const stored = await journal.load("long")
    if (stored === null) throw new Error("the run is not stored")
    const again = replay(stored, chart)
    expect(again.isSame).toBe(true)
    expect(again.run.records).toEqual(stored.records)
    expect(again.before.usage).toMatchObject({ modelCalls: requests.length })
  })
})

test("a run that was killed at any time continues without a repeated summary", async () => {
  const chart = composed({ compaction: { maxTokens: 600 } }, settings)
  const { models } = chattyModel({ waits: true })
  const journal = memoryJournal()
  const run = createRunner({ models, journal }).start(chart, { runId: "r", prompt: "Hello" })
  await converse(run, 12)
  const before = await run.whenSettled()
  const stored = await journal.load("r")
  if (stored === null) throw new Error("the run is not stored")
  const { header, records } = stored
  let open = 0
  for (let length = 0; length < records.length; length++) {
    const { requests, models: others } = chattyModel({ waits: true })
    const past = memoryJournal({ r: { header, records: records.slice(0, length) } })
    const again = await createRunner({ models: others, journal: past }).resume("r")
    await again.whenSettled()
    open += requests.filter(isSummary).length
    // The interrupted call is repeated, and a summary leads to one model call.
    expect(requests.length).toBeLessThanOrEqual(2)
    await again.cancel()
  }
  expect(open).toBe(before.usage.modelCalls - 13)
})

describe.each(interpreters)("compaction (%s)", (interpreter) => {
  const search = {
    type: "HttpTool",
    id: "search",
    httpConfig: { url: "https://example.test/search", method: "POST" },
  }
  const found = { search: { call: async () => ({ found: words("result", 20) }) } }

  /** A model that searches `rounds` times and then answers. `summarize` answers the summarizer. */
  function searchingModel(
    rounds: number,
    summarize: (nth: number) => object = () => ({ content: "Many searches." }),
  ) {
    const requests: ModelRequest[] = []
    const call = async (request: ModelRequest): Promise<object> => {
      requests.push(request)
      const summaries = requests.filter(isSummary).length
      if (isSummary(request)) return summarize(summaries)
      const calls = requests.length - summaries
      return calls > rounds
        ? { content: "Found.", exitFlow: true }
        : { toolCalls: [{ id: `c${calls}`, function_name: "search", function_args: { calls } }] }
    }
    return { requests, services: { models: { any: { call, signals: true } }, tools: found } }
  }
  const searching = (fields: object = {}, more: object = {}): AgentChart =>
    composed(
      { compaction: { maxTokens: 500 }, tools: ["search"], ...fields },
      { ...settings, globalTools: [search], initialUserInput: "Search 20 times.", ...more },
    )
  const compactions = (events: readonly { readonly type: string }[]): number =>
    events.filter(({ type }) => type === "context.compacted").length

  test("a tool result is never separated from its call", async () => {
    const { requests, services } = searchingModel(20)
    const { rested, events } = await play(interpreter, searching(), services)
    expect(rested).toMatchObject({ status: "completed", text: "Found." })
    expect(compactions(events)).toBeGreaterThan(2)
    for (const { messages } of requests.filter((request) => !isSummary(request))) {
      const open = new Set<string>()
      for (const { role, content } of messages) {
        if (typeof content === "string") continue
        for (const part of content) {
          if ("function_call" in part) open.add(part.function_call.id)
          if (role === "tool" && "function_response" in part)
            expect(open.has(part.function_response.id)).toBe(true)
        }
      }
    }
  })

  test("keepMessages limits the recent messages that are not summarized", async () => {
    const { requests, services } = searchingModel(20)
    const chart = searching({ compaction: { maxTokens: 500, keepMessages: 2 } })
    const { events } = await play(interpreter, chart, services)
    const kept = events.flatMap((event) => (event.type === "context.compacted" ? event.kept : []))
    expect(kept.length).toBeGreaterThan(0)
    expect(Math.max(...kept)).toBe(2)
    const after = requests[requests.findIndex(isSummary) + 1]
    expect(after?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"])
  })

  test("the summarizer has its own model and instructions, and its calls count", async () => {
    const { requests, services } = searchingModel(10)
    const small: ModelRequest[] = []
    const chart = searching({
      compaction: { maxTokens: 500, model: "small", instructions: "Sum up." },
    })
    const { rested } = await play(interpreter, chart, {
      ...services,
      models: {
        ...services.models,
        small: {
          call: async (request) => {
            small.push(request)
            return { content: "Short.", usage: { inputTokens: 10, outputTokens: 1 } }
          },
        },
      },
    })
    expect(small.length).toBeGreaterThan(0)
    expect(small[0]).toMatchObject({ agent: "summarizer:guide", model: "small", tools: [] })
    expect(small[0]?.messages[0]).toEqual({ role: "system", content: "Sum up." })
    expect(rested.usage).toMatchObject({
      modelCalls: requests.length + small.length,
      inputTokens: 10 * small.length,
    })
  })

  test("a failed summary is retried with the same key, and then fails the run", async () => {
    const activityConfig = { retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" } }
    const flaky = searchingModel(10, (nth) =>
      nth === 1 ? { content: "" } : { content: "Many searches." },
    )
    const { rested } = await play(interpreter, searching({ activityConfig }), flaky.services)
    expect(rested.status).toBe("completed")
    const [first, second] = flaky.requests.filter(isSummary)
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey)
    expect([first?.attempt, second?.attempt]).toEqual([1, 2])
    expect(second?.messages).toEqual(first?.messages)

    const broken = searchingModel(10, () => ({ content: null, toolCalls: [] }))
    const failed = await play(interpreter, searching({ activityConfig }), broken.services)
    expect(failed.rested).toMatchObject({
      status: "failed",
      error: { agent: "guide", code: "service_answer_malformed" },
    })
    expect(failed.rested.error?.message).toContain("could not be summarized")
    expect(broken.requests.filter(isSummary)).toHaveLength(2)
  })

  test("a limit that a summary reaches ends the run like any other model call", async () => {
    const { requests, services } = searchingModel(20)
    const { rested } = await play(interpreter, searching({}, { maxModelCalls: 9 }), services)
    expect(rested.status).toBe("limit")
    expect(requests.length).toBe(9)
    const budgeted = searchingModel(20)
    const budget = { maxModelCalls: 9, onExceeded: { message: "Enough." } }
    const ended = await play(interpreter, searching({ budget }), budgeted.services)
    expect(ended.rested).toMatchObject({ text: "Enough." })
    expect(budgeted.requests.length).toBe(9)
  })
})

describe.each(interpreters)("a call that is too long for the model (%s)", (interpreter) => {
  const tooLong = { status: 400, message: "This model's maximum context length is 4096 tokens" }

  /** A model of a chat completions API whose context window has `window` characters. */
  function smallModel(window: number) {
    const requests: ModelRequest[] = []
    const call = async (request: ModelRequest): Promise<object> => {
      requests.push(request)
      if (isSummary(request)) return { content: "Summary." }
      if (lengthOf(request) > window)
        throw new CallFailedError(
          explainContextLength({ code: "model_call_failed", retryable: true, ...tooLong }),
        )
      const answers = requests.filter((one) => !isSummary(one)).length
      return answers > 12
        ? { content: "Found.", exitFlow: true }
        : { toolCalls: [{ id: `c${answers}`, function_name: "search", function_args: {} }] }
    }
    return { requests, models: { any: { call, signals: true } } }
  }
  const chart = (fields: object = {}): AgentChart =>
    composed(
      { compaction: { maxTokens: 100_000 }, tools: ["search"], ...fields },
      {
        initialUserInput: "Search.",
        globalTools: [
          {
            type: "HttpTool",
            id: "search",
            httpConfig: { url: "https://example.test/search", method: "POST" },
          },
        ],
      },
    )
  const tools = { search: { call: async () => ({ found: words("result", 20) }) } }

  test("is repeated once with a summary, under a new key", async () => {
    const { requests, models } = smallModel(1500)
    const { rested, events } = await play(interpreter, chart(), { models, tools })
    expect(rested).toMatchObject({ status: "completed", text: "Found." })
    const first = requests.findIndex(isSummary)
    const [rejected, summary, repeated] = requests.slice(first - 1, first + 2)
    expect(lengthOf(rejected ?? { messages: [] })).toBeGreaterThan(1500)
    expect(lengthOf(repeated ?? { messages: [] })).toBeLessThan(1500)
    expect(new Set([rejected, summary, repeated].map((one) => one?.idempotencyKey)).size).toBe(3)
    expect(events.find(({ type }) => type === "context.compacted")).toMatchObject({
      reason: "context_too_long",
    })
  })

  test("fails the run if the shortened call is too long again", async () => {
    const { requests, models } = smallModel(60)
    const { rested } = await play(interpreter, chart(), { models, tools })
    expect(rested).toMatchObject({ status: "failed", error: { code: "model_call_failed" } })
    expect(rested.error?.message).toContain("too long")
    expect(requests.filter(isSummary).length).toBeLessThanOrEqual(1)
  })

  test("fails the run of an agent without compaction", async () => {
    const { requests, models } = smallModel(1500)
    const { rested } = await play(interpreter, chart({ compaction: null }), { models, tools })
    expect(rested.status).toBe("failed")
    expect(requests.filter(isSummary)).toEqual([])
  })
})

test("the next run of a session continues with the summary of the last one", async () => {
  const chart = compiled({ name: "guide", model: "any", compaction, ...settings }, "adk")
  const sessions = memorySessionStore()
  const session = { appName: "app", userId: "user", sessionId: "s" }
  const seen: ModelRequest[][] = []
  for (let invocation = 0; invocation < 40; invocation++) {
    const { requests, models } = chattyModel()
    const run = createRunner({ models, sessions }).start(chart, {
      prompt: `Message: ${words("dolor sit amet", 40)}`,
      session,
    })
    await run.whenSettled()
    await run.end()
    await run.result
    seen.push(requests)
  }
  const all = seen.flat()
  const first = seen.findIndex((requests) => requests.some(isSummary))
  expect(first).toBeGreaterThan(1)
  // The run after the first summary receives it and needs no new one.
  expect(seen[first + 1]).toHaveLength(1)
  expect(JSON.stringify(seen[first + 1]?.[0]?.messages)).toContain("Summary 1.")
  expect(all.filter(isSummary).length).toBeLessThan(20)
  expect(Math.max(...all.map((request) => lengthOf(request) / 4))).toBeLessThanOrEqual(2000)
  const stored = await sessions.load(session)
  expect(stored?.history).toHaveLength(80)
})

test.each([
  ["graph-compose", "instructions", true],
  ["adk", "instruction", false],
] as const)(
  "interval causes regular summaries, and overlap includes earlier exchanges again (%s)",
  async (dialect, field, waits) => {
    const fields = { model: "any", compaction: { interval: 3, overlap: 1 }, [field]: "Help." }
    const chart =
      dialect === "adk"
        ? compiled({ name: "guide", ...fields, ...settings }, "adk")
        : composed(fields, settings)
    const { requests, models } = chattyModel({ waits })
    const journal = memoryJournal()
    const events: RunEvent[] = []
    const run = createRunner({ models, journal }).start(chart, { runId: "often", prompt: "Hello" })
    run.events$.subscribe((event) => void events.push(event))
    await converse(run, 8)
    await run.end()
    await run.result
    const compacted = events.flatMap((event) => (event.type === "context.compacted" ? [event] : []))
    expect(compacted).toMatchObject([
      { reason: "interval", messages: 6, kept: 1 },
      { reason: "interval", messages: 12, kept: 1 },
    ])
    const texts = requests.filter(isSummary).map(({ messages }) => JSON.stringify(messages))
    expect(texts[0]).toContain("Message 2:")
    expect(texts[0]).not.toContain("Message 3:")
    expect(texts[1]).toContain("Summary 1.")
    expect(texts[1]).not.toContain("Message 1:")
    for (const message of [2, 3, 4, 5]) expect(texts[1]).toContain(`Message ${message}:`)
    const last = JSON.stringify(requests.at(-1)?.messages)
    expect(last).toContain("Summary 2.")
    expect(last).not.toContain("Message 5:")
    expect(last).toContain("Message 6:")
    const stored = await journal.load("often")
    if (stored === null) throw new Error("the run is not stored")
    expect(replay(stored, chart).isSame).toBe(true)
  },
)

test("messages of other agents do not count for the interval", async () => {
  const chart = compiled(
    {
      agent_class: "SequentialAgent",
      name: "team",
      sub_agents: [
        { name: "scout", model: "any", instruction: "Find." },
        { name: "guide", model: "any", instruction: "Help.", compaction: { interval: 2 } },
      ],
      ...settings,
    },
    "adk",
  )
  const { requests, models } = chattyModel()
  const run = createRunner({ models }).start(chart, { prompt: "Hello" })
  await converse(run, 2)
  await run.end()
  await run.result
  const agents = requests.map(({ agent }) => agent)
  expect(agents.filter((agent) => agent === "guide")).toHaveLength(3)
  expect(agents.indexOf("summarizer:guide")).toBe(agents.lastIndexOf("guide") - 1)
})

function policiesOf(rule: string): PolicySet {
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}`)
  if (policies === null) throw new Error("the policy is wrong")
  return policies
}

describe("the analysis of a chart with compaction", () => {
  test("counts a summary before each model call, and the price of the summarizer", () => {
    const chart = composed(
      { compaction: { maxTokens: 500, model: "small" } },
      { maxOrchestrationCycles: 7 },
    )
    const prices = { any: { perCall: 1 }, small: { perCall: 0.5 } }
    const { bounds } = analyzeChart(chart, { prices })
    expect(bounds.modelCalls.most).toBe(14)
    expect(bounds.cost?.most).toBe(10.5)
    expect(bounds.expected.modelCalls).toBe(1)
  })

  test("a policy about a model also covers the summarizer", () => {
    const verdict = (policy: string, fields: object): string | undefined => {
      const policies = policiesOf(policy)
      return analyzeChart(composed(fields), { policies }).policies[0]?.verdict
    }
    const small = { compaction: { maxTokens: 500, model: "small" } }
    expect(verdict("never: { model: small }", small)).toBe("violated")
    expect(verdict("never: { model: small }", { compaction })).toBe("proved")
  })

  test("a run reports a summary that violates a policy", async () => {
    const policies = policiesOf("never: { model: small }")
    const chart = composed({ compaction: { maxTokens: 100, model: "small" } }, settings)
    const { models } = chattyModel({ waits: true })
    const small = { call: async () => ({ content: "Summary." }) }
    const run = createRunner({ models: { ...models, small }, policies }).start(chart, {
      prompt: "Hello",
    })
    const violated: RunEvent[] = []
    run.events$.subscribe((event) => event.type === "policy.violated" && violated.push(event))
    await run.whenSettled()
    await run.say(words("dolor sit amet", 20))
    await run.whenSettled()
    expect(violated).toMatchObject([
      { policy: "p", agent: "summarizer:guide", path: "guide/summarizer:guide" },
    ])
  })
})

test("the definition of a summarizer is part of the chart, and its fields are checked", () => {
  const chart = composed({ compaction: { maxTokens: 500 } })
  expect(chart.agents["guide"]).toMatchObject({
    compaction: { maxTokens: 500, summarizer: "summarizer:guide" },
  })
  expect(chart.agents["summarizer:guide"]).toMatchObject({ model: "any", summarizes: "guide" })
  const codes = (compact: unknown): readonly string[] =>
    compile(
      {
        agents: [{ type: "LlmAgent", id: "guide", model: "any", compaction: compact }],
        rootAgentId: "guide",
      },
      { dialect: "graph-compose" },
    ).diagnostics.map(({ code, message, fix }) => `${code}: ${message} ${fix}`)
  expect(codes({})[0]).toContain("missing_field")
  expect(codes({ overlap: 1 })[0]).toContain("interval")
  expect(codes({ interval: 5 })).toEqual([])
  expect(codes({ maxTokens: 0 })[0]).toContain("maxTokens")
  expect(codes("8000")[0]).toContain("object")
  expect(codes({ maxTokens: 10, prompt: "Sum up." })[0]).toContain("instructions")
})

test("front ends do not show summaries as messages", async () => {
  const chart = composed({ compaction: { maxTokens: 300 } }, settings)
  const { models } = chattyModel({ waits: true })
  const run = createRunner({ models }).start(chart, { prompt: "Hello" })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => void events.push(event))
  await converse(run, 10)
  await run.end()
  const agUi = agUiTranslation([])
  const chunks = runChunks()
  const log = new ChatLog()
  for (const event of events) log.apply(event)
  const shown = {
    agUi: events.flatMap((event) => [...agUi.next(event)]),
    aiSdk: events.flatMap((event) => [...chunks.read(event, false)]),
    studio: log.messages,
  }
  expect(events.some((event) => event.type === "context.compacted")).toBe(true)
  for (const messages of Object.values(shown)) {
    expect(JSON.stringify(messages)).toContain("Answer 1")
    expect(JSON.stringify(messages)).not.toContain("Summary 1.")
  }
})
