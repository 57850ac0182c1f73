import { describe, expect, test } from "vitest"
import { judge, type Played } from "./compare.mjs"
import { factsOf, openRequest } from "./facts.mjs"

const nothing = {
  problems: [],
  before: [],
  requests: [],
  facts: [],
  pending: [],
  unused: [],
  beyond: [],
  disclosed: {},
  warnings: [],
}
const transfer = {
  type: "function",
  function: {
    name: "transfer_to_agent",
    parameters: { properties: { agent_name: { enum: ["b", "c"] } } },
  },
}
const search = {
  type: "function",
  function: { name: "search", description: 'Finds "things".', parameters: {} },
}

const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello" },
  {
    role: "assistant",
    content: [
      { text: "Let me look." },
      { function_call: { id: "1", name: "search", args: { q: "x" } } },
    ],
  },
  {
    role: "tool",
    content: [{ function_response: { id: "1", name: "search", response: { hit: 1 } } }],
  },
]
const call = (id: string, nth: number, more: object = {}): object => ({
  kind: "llm",
  id,
  nth,
  name: `${id}#${nth}`,
  key: `run/${id}#${nth}`,
  at: 1000 * nth,
  body: { messages: [], tools: [], state: {} },
  ...more,
})
const toolCall = (id: string, nth: number, key: string, args: object): object => ({
  kind: "tool",
  id,
  nth,
  name: `tool:${id}#${nth}`,
  key,
  args,
  at: nth,
  body: { arguments: args, more: 1 },
})

const asked = call("a", 0, {
  url: "http://llm.test/a",
  method: "POST",
  model: "m-small",
  headers: { "x-a": "1", "x-b": "2" },
  body: {
    messages,
    tools: [search, transfer],
    state: { k: 1, _user_message_count: 1 },
    extra: { temperature: 0.5, top: 1 },
  },
})
const request = {
  id: "r1",
  kind: "approval",
  agent: "a",
  path: "a",
  branch: "p.0",
  prompt: "Really pay?",
  details: { sum: 3 },
  toolCalls: [{ id: "c1", name: "pay", args: {} }],
}
const played: Played = {
  ...nothing,
  status: "waiting",
  text: "the end",
  error: "Agent b failed: 500",
  state: { k: "v", gone: undefined, _user_message_count: 1, orchestration_cycle_count: 2 },
  mostAtOnce: 2,
  before: [
    { status: "waiting", pending: [request, { ...request, id: "r2", agent: "b" }] },
    { status: "completed", pending: [] },
  ],
  pending: [request],
  requests: [
    asked,
    call("b", 0, { at: 1100 }),
    call("a", 1, { key: "run/a#0" }),
    toolCall("pay", 0, "k1", { sum: 3 }),
    toolCall("pay", 1, "k1", { sum: 3 }),
    toolCall("log", 0, "k2", {}),
  ],
  facts: [
    { kind: "agent_started", agent: "a" },
    { kind: "warning", agent: "a", says: "skipped b and c" },
    { kind: "agent_finished", agent: "a", branch: "p.0" },
  ],
  warnings: ['the key "result" is vague', "b is never reached"],
  hostLog: ["one", "two"],
  disclosed: {
    events: 'a "quoted" text',
    journal: `Basic ${Buffer.from("user:hidden-value").toString("base64")}`,
  },
}

/** A field of `expect`, values that match `played`, and values that do not. */
const expectations: readonly [
  field: string,
  fitting: readonly unknown[],
  others: readonly unknown[],
][] = [
  ["status", ["waiting"], ["completed"]],
  [
    "statusBeforeInputs",
    [["waiting", "completed"], ["waiting"], [null, "completed"]],
    [["completed"], ["waiting", "waiting"], ["waiting", "completed", "waiting"]],
  ],
  [
    "pendingBeforeInputs",
    [[[{ agent: "b" }, { agent: "a" }]], [[{ id: "$bind:x" }, { id: "$bind:y" }], []]],
    [
      [[{ agent: "a" }]],
      [[{ agent: "a" }, { agent: "a" }]],
      [[{ id: "$bind:x" }, { id: "$bind:x" }]],
      [[], []],
    ],
  ],
  [
    "pending",
    [
      [{ kind: "approval" }],
      [{ promptContains: ["pay"], tool: "pay", actionDetails: { sum: 3 } }],
      [{ promptContains: "Really" }],
    ],
    [
      [],
      [{ kind: "input" }],
      [{ promptContains: ["pay", "never"] }],
      [{ actionDetails: { sum: 4 } }],
      [{ colour: "red" }],
    ],
  ],
  [
    "state",
    [{ k: "v" }, { k: "$any", gone: "$absent", orchestration_cycle_count: 2 }],
    [
      {},
      { k: "w" },
      { k: "v", more: 1 },
      { k: "v", orchestration_cycle_count: 1 },
      { k: "$absent" },
    ],
  ],
  [
    "llmCalls",
    [
      ["a", "b", "a"],
      [{ unordered: ["b", "a"] }, "a"],
    ],
    [["a", "b"], ["b", "a", "a"], ["a", "b", "a", "a"], []],
  ],
  ["maxLlmCalls", [3, 9], [2, 0]],
  ["maxConcurrentLlmCalls", [{ atLeast: 2 }, { atMost: 2 }], [{ atLeast: 3 }, { atMost: 1 }]],
  [
    "toolCalls",
    [
      [
        { tool: "pay", args: { sum: 3 } },
        { tool: "log", args: {} },
      ],
      {
        unordered: [
          { tool: "log", args: {} },
          { tool: "pay", args: { sum: 3 } },
        ],
      },
    ],
    [
      [],
      [
        { tool: "log", args: {} },
        { tool: "pay", args: { sum: 3 } },
      ],
      [
        { tool: "pay", args: {} },
        { tool: "log", args: {} },
      ],
      { unordered: [{ tool: "log", args: {} }] },
    ],
  ],
  ["toolAttempts", [{ pay: 2, log: 1 }], [{ pay: 1 }, { other: 1 }]],
  [
    "toolRequests",
    [[{ tool: "pay", nth: 1, body: { arguments: { sum: 3 } } }]],
    [
      [{ tool: "pay", nth: 2 }],
      [{ tool: "pay", nth: 0, body: { arguments: { sum: 4 } } }],
      [{ tool: "pay", nth: 0, colour: 1 }],
    ],
  ],
  [
    "idempotencyKeys",
    [
      { same: [["a#0", "a#1"]], different: ["a#0", "b#0", "tool:pay#0"] },
      { same: [["tool:pay#0", "tool:pay#1"]] },
    ],
    [
      { same: [["a#0", "b#0"]] },
      { different: ["a#0", "a#1"] },
      { same: [["a#0", "a#7"]] },
      { different: ["a#7", "b#0"] },
    ],
  ],
  [
    "gaps",
    [
      [{ agent: "a", from: 0, to: 1, atLeastMs: 1000 }],
      [{ agent: "a", from: 0, to: 1, atMostMs: 1000 }],
    ],
    [
      [{ agent: "a", from: 0, to: 1, atLeastMs: 1001 }],
      [{ agent: "a", from: 0, to: 1, atMostMs: 999 }],
      [{ agent: "a", from: 0, to: 2, atLeastMs: 0 }],
    ],
  ],
  ["finalText", ["the end", { $contains: "end" }], [null, "the End"]],
  ["errorContains", [["B FAILED", "500"], []], [["c failed"]]],
  [
    "events",
    [
      [{ kind: "agent_started" }, { kind: "agent_finished", branch: "p.0" }],
      [{ kind: "warning", contains: ["b", "c"] }],
      [],
    ],
    [
      [{ kind: "agent_finished" }, { kind: "agent_started" }],
      [{ kind: "warning", contains: ["z"] }],
      [{ kind: "agent_started" }, { kind: "agent_started" }],
    ],
  ],
  [
    "eventsAnyOrder",
    [[{ kind: "agent_finished" }, { kind: "agent_started", agent: "a" }]],
    [[{ kind: "transfer" }], [{ kind: "agent_started", branch: "p.0" }]],
  ],
  [
    "eventsAbsent",
    [[{ kind: "transfer" }, { kind: "agent_started", agent: "b" }]],
    [[{ kind: "warning", contains: ["skipped"] }]],
  ],
  ["warningsContain", [[["result", "vague"], ["never"]]], [[["result", "never"]], [["Result"]]]],
  ["warningsAbsent", [["nonsense"]], [["vague"]]],
  ["noWarnings", [], [true]],
  ["hostLog", [["one", "two"]], [["two", "one"], ["one"], []]],
  ["neverContains", [["another text"]], [['a "quoted" text'], ['"quoted"'], ["hidden-value"]]],
  ["somethingNew", [], [true, null, []]],
]

describe("the fields of `expect`", () => {
  test.each(expectations)(
    "the field %s accepts matching values and rejects others",
    (field, fitting, others) => {
      for (const wanted of fitting)
        expect(
          judge({ expect: { maxLlmCalls: 9, [field]: wanted } }, played),
          JSON.stringify(wanted),
        ).toEqual([])
      for (const wanted of others)
        expect(
          judge({ expect: { maxLlmCalls: 9, [field]: wanted } }, played),
          JSON.stringify(wanted),
        ).not.toEqual([])
    },
  )

  test("with `stateMode: 'subset'`, only the keys in the vector are compared", () => {
    expect(
      judge(
        {
          expect: { state: { orchestration_cycle_count: 2, gone: "$absent" }, stateMode: "subset" },
        },
        played,
      ),
    ).toEqual([])
    expect(judge({ expect: { state: { k: "$absent" }, stateMode: "subset" } }, played)).not.toEqual(
      [],
    )
  })
})

const ofRequest: readonly [
  field: string,
  fitting: readonly unknown[],
  others: readonly unknown[],
][] = [
  [
    "messages",
    [messages, [...messages.slice(0, 3), "$any"]],
    [messages.slice(1), [...messages].reverse(), [...messages, "$any"]],
  ],
  [
    "lastMessages",
    [messages.slice(-1), messages],
    [messages.slice(0, 1), [...messages, messages[0]]],
  ],
  ["messagesContain", [["Hello", "Let me look."]], [["hello"], ["Be brief."]]],
  ["messagesContainI", [["hELLO"]], [["Be brief."]]],
  ["messagesNotContain", [["Be brief."]], [["Hello"]]],
  ["messagesJsonContain", [['"args":{"q":"x"}', "hit"]], [["miss"]]],
  ["systemContains", [["brief"]], [["Hello"]]],
  ["systemNotContains", [["Hello"]], [["brief"]]],
  ["toldContains", [["Be brief.", 'Finds "things".', "search"]], [["Hello"], ["nowhere"]]],
  [
    "tools",
    [["transfer_to_agent", "search"]],
    [["search"], ["search", "transfer_to_agent", "x"], []],
  ],
  ["toolsInclude", [["search"]], [["find"]]],
  ["toolsExclude", [["find"]], [["search"]]],
  [
    "toolDefinitions",
    [[transfer, search]],
    [[search], [search, search], [search, { ...transfer, type: "x" }]],
  ],
  ["transferTargets", [["c", "b"]], [["b"], ["b", "c", "d"]]],
  [
    "state",
    [{ k: 1 }, { k: 1, _user_message_count: 1 }],
    [{}, { k: 2 }, { k: 1, current_agent_loop_iteration: 0 }],
  ],
  ["noToolParts", [], [true]],
  ["url", ["http://llm.test/a"], ["http://llm.test/b"]],
  ["headers", [{ "x-a": "1" }, { "x-c": "$absent" }], [{ "x-a": "2" }, { "x-c": "1" }]],
  ["body", [{ extra: { temperature: 0.5 } }], [{ extra: { temperature: 1 } }, { other: 1 }]],
  ["model", ["m-small"], ["m-large"]],
  ["somethingNew", [], [true, null]],
]

describe("the fields of `expect.requests`", () => {
  test.each(ofRequest)(
    "the field %s of a request accepts matching values and rejects others",
    (field, fitting, others) => {
      const judged = (wanted: unknown): string[] =>
        judge(
          { expect: { maxLlmCalls: 9, requests: [{ agent: "a", nth: 0, [field]: wanted }] } },
          played,
        )
      for (const wanted of fitting) expect(judged(wanted), JSON.stringify(wanted)).toEqual([])
      for (const wanted of others) expect(judged(wanted), JSON.stringify(wanted)).not.toEqual([])
    },
  )

  test("`stateStrict` compares all keys, and a subset compares only the keys in the vector", () => {
    const judged = (more: object): string[] =>
      judge({ expect: { requests: [{ agent: "a", nth: 0, ...more }] } }, played)
    expect(judged({ state: { k: 1 }, stateStrict: true })).not.toEqual([])
    expect(judged({ state: { k: 1, _user_message_count: 1 }, stateStrict: true })).toEqual([])
    expect(judged({ state: { _user_message_count: 1 }, stateMode: "subset" })).toEqual([])
  })

  test("an expected request that was never made is a failure", () => {
    expect(judge({ expect: { requests: [{ agent: "a", nth: 2 }] } }, played)).toEqual([
      "expect.requests: a#2 was never made",
    ])
  })
})

describe("failures that need no field in the vector", () => {
  test.each<[title: string, more: object]>([
    ["an unused response of the script", { unused: ["llm.a[1]"] }],
    ["a call beyond the script", { beyond: [{ kind: "llm", id: "a" }] }],
    ["a request without an idempotency key", { requests: [call("a", 0, { key: undefined })] }],
    ["a problem during the run", { problems: ["an input was taken"] }],
  ])("%s is a failure", (_, more) => {
    expect(
      judge({ expect: { status: "completed" } }, { ...nothing, status: "completed", ...more }),
    ).toHaveLength(1)
  })

  test("responses of the script may be unused only with `maxLlmCalls`", () => {
    const idle = { ...nothing, unused: ["llm.a[1]"] }
    expect(judge({ expect: { maxLlmCalls: 3 } }, idle)).toEqual([])
    expect(judge({ expect: { maxLlmCalls: 3 } }, { ...idle, beyond: ["a"] })).not.toEqual([])
  })

  test("an unknown field of an event in `eventsAbsent` throws", () => {
    expect(() =>
      judge({ expect: { eventsAbsent: [{ kind: "warning", colour: "red" }] } }, played),
    ).toThrow("does not know")
  })
})

describe("events and pending requests in the terms of the vectors", () => {
  const place = { agent: "a", path: "a", branch: null, seq: 0, at: 0, runId: "run" }
  test("each kind of event has its facts, and other events have no facts", () => {
    expect(
      factsOf([
        { ...place, branch: "p.0", type: "agent.started", kind: "LlmAgent" },
        { ...place, type: "agent.finished", kind: "LlmAgent", outcome: "done", text: "A" },
        { ...place, type: "tool.called", callId: "1", tool: "t", arguments: {}, attempt: 1 },
        { ...place, type: "tool.finished", callId: "1", tool: "t", response: {} },
        { ...place, type: "handoff", from: "a", to: "b" },
        { ...place, type: "checkpoint", completedSubAgents: 2 },
        { ...place, type: "warning", message: "skips b" },
        { ...place, type: "condition.failed", condition: "x > 1", message: "KeyError" },
        { ...place, type: "loop.iterated", iteration: 1 },
      ]),
    ).toEqual([
      { agent: "a", branch: "p.0", kind: "agent_started" },
      // No model returned this text, so it comes from a callback or a host function.
      { agent: "a", kind: "text", text: "A" },
      { agent: "a", kind: "agent_finished", text: "A" },
      { agent: "a", kind: "tool_called", tool: "t", callId: "1" },
      { agent: "a", kind: "tool_result", tool: "t", callId: "1" },
      { agent: "a", kind: "transfer", from: "a", to: "b" },
      { agent: "a", kind: "checkpoint", completedSubAgents: 2 },
      { agent: "a", kind: "warning", says: "skips b" },
      { agent: "a", kind: "condition_error", says: "x > 1: KeyError" },
    ])
  })

  test("the details of a request are available as `actionDetails` and as `ticket`", () => {
    const open = openRequest({
      id: "r",
      kind: "tool",
      agent: "a",
      path: "a",
      branch: null,
      prompt: null,
      details: "T-7",
      toolCalls: [{ id: "c", name: "order", args: {} }],
    })
    expect(open).toMatchObject({
      id: "r",
      ticket: "T-7",
      actionDetails: "T-7",
      tool: "order",
      callId: "c",
    })
  })
})
