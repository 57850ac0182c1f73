import { expect, test } from "vitest"
import type { PolicyResult } from "../../src/analysis/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { answerTo } from "../../src/cli/counterexample/answer-request.js"
import { isShown } from "../../src/cli/counterexample/play-counterexample.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { PolicySet } from "../../src/policies/policy.js"

const llm = (id: string, fields: object = {}) => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `https://agents.test/${id}`, method: "POST" },
  ...fields,
})

const sequence = (id: string, subAgents: readonly (string | object)[], fields: object = {}) => ({
  type: "SequentialAgent",
  id,
  subAgents: subAgents.map((one) => (typeof one === "string" ? { agentId: one } : one)),
  ...fields,
})

interface Decided {
  readonly result: PolicyResult
  readonly chart: AgentChart
  readonly policies: PolicySet
}

/** Decides one policy for a workflow whose root is the first agent. */
function decide(rule: string, agents: readonly object[], options: object = {}): Decided {
  const [root] = agents as readonly { readonly id: string }[]
  const chart = compileOrThrow({ rootAgentId: root?.id, agents, ...options })
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}`)
  if (policies === null) throw new Error("the policy is wrong")
  const [result] = analyzeChart(chart, { policies }).policies
  if (result === undefined) throw new Error("there is no verdict")
  return { result, chart, policies }
}

const verdictOf = (...about: Parameters<typeof decide>): string => decide(...about).result.verdict

/** Returns whether a run in this process violates the policy as in its counterexample. */
const plays = ({ result, chart, policies }: Decided): Promise<boolean> => {
  const [policy] = policies.policies
  if (policy === undefined || result.counterexample === null) return Promise.resolve(false)
  return isShown(result.counterexample, { chart, policy, set: policies, prices: null })
}

test.each(["len(session_state) > 3", "session_state[session_state.get('which', '')] == 1"])(
  "a condition that reads keys without naming them can be true: %s",
  (when) => {
    const agents = [
      sequence("all", ["first", { agentId: "second", when }]),
      llm("first"),
      llm("second"),
    ]
    expect(verdictOf("never: { start: second }", agents)).toBe("violated")
  },
)

test('a budget with onExceeded "ask" does not limit the number of calls', async () => {
  const agents = [sequence("all", ["first", "second"]), llm("first"), llm("second")]
  const budget = { maxModelCalls: 1, onExceeded: "ask" }
  const decided = decide("never: { finish: second }", agents, { budget })
  expect(decided.result.verdict).toBe("violated")
  expect(await plays(decided)).toBe(true)
  expect(verdictOf("never: { finish: second }", agents, { maxModelCalls: 1 })).toBe("proved")
})

const overList = (items: string, fields: object = {}) => [
  {
    type: "ParallelAgent",
    id: "all",
    subAgents: [{ agentId: "reader" }],
    forEach: { items, as: "page", maxItems: 3 },
    ...fields,
  },
  llm("reader", { outputKey: "notes" }),
]

test("the number of items is known for a list that reads no keys", () => {
  const twice = "atMost: 2\n    of: { start: reader }"
  expect(verdictOf(twice, overList("['a', 'b']"))).toBe("proved")
  expect(verdictOf(twice, overList("['a', 'b', 'c']"))).toBe("violated")
  expect(verdictOf("never: { start: reader }", overList("[]"))).toBe("proved")
  expect(verdictOf("never: { start: reader }", overList("list(range(4))"))).toBe("proved")
})

test("the counterexample of a block over items starts with a list that is long enough", async () => {
  const decided = decide("atMost: 1\n    of: { start: reader }", overList("session_state['pages']"))
  expect(decided.result.verdict).toBe("violated")
  expect(decided.result.counterexample?.script?.state).toEqual({ pages: ["some", "some"] })
  expect(await plays(decided)).toBe(true)
})

test("a block ends early only after its quorum", async () => {
  const block = {
    type: "ParallelAgent",
    id: "both",
    subAgents: [{ agentId: "left" }, { agentId: "right" }],
    completion: "first-success",
    failurePolicy: "collect",
  }
  const agents = [sequence("all", ["both", "last"]), block, llm("left"), llm("right"), llm("last")]
  const decided = decide("never: { model: '*', by: last }", agents)
  expect(decided.result.verdict).toBe("violated")
  expect(decided.result.counterexample?.records).toBe(1)
  expect(await plays(decided)).toBe(true)
})

test("a counterexample sets the keys that an instruction needs", async () => {
  const agents = [{ type: "LlmAgent", id: "writer", model: "m", instruction: "About {topic}." }]
  const decided = decide("never: { model: '*' }", agents, { dialect: "adk" })
  expect(decided.result.counterexample?.script?.state).toHaveProperty("topic")
  expect(await plays(decided)).toBe(true)
})

const post = {
  type: "HttpTool",
  id: "post",
  description: "Posts a text.",
  httpConfig: { url: "https://tools.test/post", method: "POST" },
}

test.each([
  { tools: ["post"], verdict: "violated" },
  { tools: [], verdict: "proved" },
])(
  "a data flow counts only if its sink is inside the agent of `in`: $verdict",
  ({ tools, verdict }) => {
    const agents = [
      sequence("all", ["outside", "inner"]),
      llm("outside", { tools: ["post"] }),
      sequence("inner", ["inside"]),
      llm("inside", { tools }),
    ]
    const rule = "noFlow: { from: { prompt: user }, to: { arguments: post } }\n    in: inner"
    expect(verdictOf(rule, agents, { globalTools: [post] })).toBe(verdict)
  },
)

test("one response can both call a tool and leave the loop", async () => {
  const agents = [
    {
      type: "LoopAgent",
      id: "rounds",
      maxAgentLoopIterations: 3,
      subAgents: [{ agentId: "payer" }, { agentId: "auditor" }],
    },
    llm("payer", { tools: ["pay", "exit_loop"] }),
    llm("auditor"),
  ]
  const pay = { ...post, id: "pay" }
  const rule = "whenever: { result: pay }\n    then: { start: auditor }"
  const decided = decide(`${rule}\nassume: { modelSignals: none }`, agents, {
    globalTools: [pay],
    dialect: "adk",
    maxModelCallsPerTurn: 1,
  })
  expect(decided.result.verdict).toBe("violated")
  expect(await plays(decided)).toBe(true)
})

test("a counterexample delivers the result of a call with the id of its request", () => {
  const request = {
    id: "all/left/tool:call_0_0#0",
    kind: "tool",
    agent: "left",
    path: "all/left",
    branch: "all.0",
    prompt: null,
    details: null,
    toolCalls: [{ id: "call_0_0", name: "ship", args: {} }],
  } as const
  expect(answerTo(request, "deliver", undefined)).toMatchObject({ deliver: request.id })
})

test("the counterexample of a limit that is not counted reaches the limit", async () => {
  const agents = [sequence("all", ["first", "second"]), llm("first"), llm("second")]
  const rule = "whenever: { start: first }\n    then: { start: second }\n    evenIf: [limit]"
  const decided = decide(rule, agents, { maxModelCallsPerTurn: 3 })
  expect(decided.result.verdict).toBe("violated")
  expect(await plays(decided)).toBe(true)
})

test("a counterexample can wait until an agent gets a free slot", async () => {
  const block = {
    type: "ParallelAgent",
    id: "all",
    subAgents: [{ agentId: "quick" }, { agentId: "slow" }, { agentId: "late" }],
    maxConcurrency: 2,
  }
  const agents = [block, llm("quick"), llm("slow"), llm("late")]
  const decided = decide("never: { finish: slow }\n    after: { start: late }", agents)
  expect(decided.result.verdict).toBe("violated")
  expect(await plays(decided)).toBe(true)
})

test.each([
  {
    name: "a text fits the output schema of its agent",
    rule: "noFlow: { from: { prompt: user }, to: { input: last } }",
    agents: [
      sequence("all", ["first", "last"]),
      {
        type: "LlmAgent",
        id: "first",
        model: "m",
        outputSchema: {
          type: "object",
          properties: { note: { type: "string" } },
          required: ["note"],
        },
      },
      { type: "LlmAgent", id: "last", model: "m", includeContents: "none" },
    ],
    options: { dialect: "adk" },
  },
  {
    name: "the agents on the path are answered before others end their block",
    rule: "noFlow: { from: { prompt: user }, to: { arguments: post } }",
    agents: [
      {
        type: "ParallelAgent",
        id: "all",
        subAgents: [{ agentId: "quick" }, { agentId: "poster" }],
        completion: "first-success",
        failurePolicy: "collect",
      },
      llm("quick"),
      llm("poster", { tools: ["post"] }),
    ],
    options: { globalTools: [post] },
  },
  {
    name: "a turn ends before it reaches maxModelCallsPerTurn",
    rule: "noFlow: { from: { text: writer }, to: { arguments: post } }",
    agents: [
      {
        type: "ParallelAgent",
        id: "all",
        subAgents: [{ agentId: "writer" }, { agentId: "poster" }],
      },
      llm("writer"),
      llm("poster", { tools: ["post"] }),
    ],
    options: { globalTools: [post], dialect: "adk", maxModelCallsPerTurn: 2 },
  },
  {
    name: "the result of an AgentTool is a source although its agent is trusted",
    rule: "noFlow: { from: { result: ask_expert }, to: { arguments: post } }\n    unless: [{ text: expert }]",
    agents: [llm("asker", { tools: ["ask_expert", "post"] }), llm("expert")],
    options: {
      globalTools: [post, { type: "AgentTool", id: "ask_expert", targetAgentId: "expert" }],
    },
  },
])(
  "the first counterexample of a data path can be played: $name",
  async ({ rule, agents, options }) => {
    const decided = decide(rule, agents, options)
    expect(decided.result.verdict).toBe("violated")
    expect(await plays(decided)).toBe(true)
  },
)

test.each([{ maxConcurrency: 2 }, {}])(
  "a block that collects failures can write branch_errors: %o",
  async (fields) => {
    const block = {
      type: "ParallelAgent",
      id: "both",
      subAgents: [{ agentId: "left" }, { agentId: "right" }],
      ...fields,
    }
    const agents = [sequence("all", ["both"]), block, llm("left"), llm("right")]
    const collecting = [sequence("all", ["both"]), { ...block, failurePolicy: "collect" }]
    const never = "never: { write: branch_errors }"
    expect(verdictOf(never, agents)).toBe("proved")
    expect(verdictOf(never, [...collecting, llm("left"), llm("right")])).toBe("violated")
    const then = "whenever: { start: both }\n    then: { write: branch_errors }"
    expect(verdictOf(then, [...collecting, llm("left"), llm("right")])).toBe("violated")
  },
)

test("a block over items writes only the keys that its branches pass to it", async () => {
  const agents = overList("['a', 'b']")
  const rule = "never: { write: notes }"
  expect(verdictOf(rule, agents)).toBe("proved")
  const merged = decide(rule, agents, { stateMerge: { notes: "append" } })
  expect(merged.result.verdict).toBe("violated")
  expect(await plays(merged)).toBe(true)
})
