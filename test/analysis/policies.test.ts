import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { decideSet } from "../../src/cli/counterexample/decide-set.js"
import { compile, readPolicies } from "../../src/compiler/index.js"

/** Returns the verdict on one policy for a workflow of one agent at the root. */
function verdictOf(rule: string, options: object): string | undefined {
  const { chart } = compile({
    rootAgentId: "assistant",
    agents: [
      {
        type: "LlmAgent",
        id: "assistant",
        httpConfig: { url: "https://agents.test/assistant", method: "POST" },
      },
    ],
    ...options,
  })
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}`)
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  return analyzeChart(chart, { policies }).policies[0]?.verdict
}

test("a message of the user allows further cycles of the root", () => {
  const atMostTwo = "atMost: 2\n    of: { start: assistant }"
  const options = { maxOrchestrationCycles: 2 }
  expect(verdictOf(atMostTwo, options)).toBe("violated")
})

test("the message of a budget can end a turn without a model call", () => {
  const assistant = {
    type: "LlmAgent",
    id: "assistant",
    httpConfig: { url: "https://agents.test/assistant", method: "POST" },
  }
  const sequence = {
    type: "SequentialAgent",
    id: "all",
    subAgents: [{ agentId: "assistant" }, { agentId: "second" }],
  }
  const options = {
    rootAgentId: "all",
    agents: [sequence, assistant, { ...assistant, id: "second" }],
    budget: { maxModelCalls: 1, onExceeded: { message: "That was enough." } },
  }
  expect(verdictOf("never: { finish: second }", options)).toBe("violated")
})

test("a policy on a loop whose agents can all be skipped is decided without an exact counter", () => {
  const writer = {
    type: "LlmAgent",
    id: "writer",
    httpConfig: { url: "https://agents.test/writer", method: "POST" },
  }
  const { chart } = compile({
    rootAgentId: "rounds",
    agents: [
      {
        type: "LoopAgent",
        id: "rounds",
        maxAgentLoopIterations: 50,
        subAgents: [{ agentId: "writer", when: "session_state.get('open') == 'yes'" }],
      },
      writer,
    ],
  })
  const { policies } = readPolicies(
    "policies:\n  - name: p\n    never: { start: writer }\n    after: { finish: rounds }",
  )
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  expect(analyzeChart(chart, { policies }).policies[0]?.verdict).toBe("proved")
})

test("a toolset without a list can be a source or a destination of data", () => {
  const { chart } = compile({
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "small", tools: ["read_crm", "extras"] }],
    globalTools: [
      { type: "FunctionTool", id: "read_crm" },
      { type: "Toolset", id: "extras" },
    ],
  })
  const { policies } = readPolicies(`
policies:
  - name: p
    noFlow: { from: { result: read_crm }, to: { arguments: post_public } }
functions: { read_crm: {} }`)
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  const [result] = analyzeChart(chart, { policies }).policies
  expect(result).toMatchObject({ verdict: "unknown", reasons: [{ code: "undeclared_toolset" }] })
})

test("a run that continues a session can begin with a member of the root's team", () => {
  const { chart } = compile({
    agent_class: "LlmAgent",
    name: "desk",
    model: "small",
    instruction: "Help.",
    sub_agents: [
      { agent_class: "LlmAgent", name: "billing", model: "small", instruction: "Bill." },
    ],
  })
  const verdicts = ["new", "any"].map((session) => {
    const { policies } = readPolicies(`
policies:
  - name: p
    allow: { start: billing }
    onlyAfter: { start: desk }
assume: { session: ${session} }`)
    if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
    return analyzeChart(chart, { policies }).policies[0]?.verdict
  })
  expect(verdicts).toEqual(["proved", "violated"])
})

const llm = (id: string, fields: object = {}) => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `https://agents.test/${id}`, method: "POST" },
  ...fields,
})

/** Returns the results of policies, given as the YAML of their rules, for a workflow. */
function decide(workflow: object, rules: readonly string[], more = "") {
  const { chart } = compile(workflow)
  const { policies } = readPolicies(
    `policies:\n${rules.map((rule, index) => `  - name: p${index}\n    ${rule}`).join("\n")}\n${more}`,
  )
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  return analyzeChart(chart, { policies }).policies
}

test("a branch without relevant steps can end its block at any time", () => {
  const workflow = {
    rootAgentId: "both",
    agents: [
      { type: "ParallelAgent", id: "both", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
      llm("a"),
      { type: "HumanAgent", id: "b", prompt: "?" },
    ],
  }
  const verdicts = decide(workflow, [
    "whenever: { start: b }\n    then: { finish: b }",
    "whenever: { start: b }\n    then: { finish: b }\n    evenIf: [failed]",
    "whenever: { finish: b }\n    then: { finish: a, outcome: [done, failed, exited, escalated] }",
  ]).map(({ verdict }) => verdict)
  expect(verdicts).toEqual(["violated", "violated", "violated"])
})

test("a message of the user in a parallel member allows further cycles of the root", () => {
  const workflow = {
    rootAgentId: "desk",
    maxOrchestrationCycles: 2,
    maxHandoffs: 1,
    agents: [
      llm("desk", {
        subAgents: [
          { type: "ParallelAgent", id: "both", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
        ],
      }),
      llm("a"),
      llm("b"),
    ],
  }
  const rule = "atMost: 2\n    of: { start: both }"
  const [withSignals] = decide(workflow, [rule])
  expect(withSignals?.verdict).toBe("violated")
  const [without] = decide(workflow, [rule], "assume: { modelSignals: none }")
  expect(without?.verdict).toBe("proved")
})

test("the search in nested blocks with many branches decides the policy or stops at its limit", () => {
  const inner = { type: "ParallelAgent", id: "lane", subAgents: [{ agentId: "a" }] }
  const workflow = {
    rootAgentId: "outer",
    agents: [
      {
        type: "ParallelAgent",
        id: "outer",
        subAgents: [{ agentId: "lane" }],
        forEach: { items: "list(range(9))", maxItems: 9 },
      },
      { ...inner, forEach: { items: "list(range(9))", maxItems: 9 } },
      llm("a"),
    ],
  }
  // Without a limit on the whole search, this takes hours.
  const [result] = decide(workflow, ["atMost: 7\n    of: { start: a }"], "limits: { states: 2000 }")
  expect(["violated", "unknown"]).toContain(result?.verdict)
  expect(result?.states).toBeLessThanOrEqual(2_000)
})

test("a condition does not multiply the states after the last condition that reads its key", () => {
  const names = Array.from({ length: 60 }, (_, index) => `w${index}`)
  const workflow = {
    rootAgentId: "all",
    agents: [
      {
        type: "SequentialAgent",
        id: "all",
        subAgents: names.map((agentId) => ({
          agentId,
          when: `session_state.get('${agentId}_done') == 'yes'`,
        })),
      },
      ...names.map((id) => llm(id, { outputKey: `${id}_done` })),
    ],
  }
  const [result] = decide(workflow, ["allow: { start: w59 }\n    onlyAfter: { run: started }"])
  expect(result?.verdict).toBe("proved")
  expect(result?.states).toBeLessThan(1_000)
})

test("the writes of an agent are reported after the agent has finished", () => {
  const workflow = {
    rootAgentId: "all",
    agents: [
      { type: "SequentialAgent", id: "all", subAgents: [{ agentId: "a" }, { agentId: "both" }] },
      {
        type: "ParallelAgent",
        id: "both",
        maxConcurrency: 1,
        subAgents: [{ agentId: "b" }, { agentId: "c" }],
      },
      llm("a", { outputKey: "draft" }),
      llm("b", { outputKey: "note" }),
      llm("c"),
    ],
  }
  const verdicts = decide(
    workflow,
    [
      "never: { write: draft }\n    after: { finish: a }",
      "never: { finish: a }\n    after: { write: draft }",
      "never: { write: note }\n    after: { finish: both }",
      "never: { write: note, by: b }",
    ],
    "assume: { modelSignals: none }",
  ).map(({ verdict }) => verdict)
  expect(verdicts).toEqual(["violated", "proved", "violated", "proved"])
})

test("a policy that holds for every order of a MachineAgent's agents is proved", () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "all",
    agents: [
      {
        type: "SequentialAgent",
        id: "all",
        subAgents: [{ agentId: "first" }, { agentId: "machine" }],
      },
      { type: "LlmAgent", id: "first", model: "small" },
      {
        type: "MachineAgent",
        id: "machine",
        service: "steps",
        subAgents: [{ agentId: "one" }, { agentId: "two" }],
      },
      { type: "LlmAgent", id: "one", model: "small" },
      { type: "LlmAgent", id: "two", model: "small" },
    ],
  }
  const results = decide(workflow, [
    "allow: { start: two }\n    onlyAfter: { finish: first }",
    "allow: { start: two }\n    onlyAfter: { start: one }",
    "notTogether: [{ agent: one }, { agent: two }]",
    "never: { start: first }",
    "noFlow: { from: { text: one }, to: { input: first } }\n    per: run",
    "noFlow: { from: { text: first }, to: { input: two } }",
    "noFlow: { from: { text: two }, to: { input: one } }",
  ])
  expect(results.map(({ verdict }) => verdict)).toEqual([
    "proved",
    "unknown",
    "unknown",
    "violated",
    "unknown",
    "unknown",
    "unknown",
  ])
  for (const index of [1, 4, 5, 6])
    expect(results[index]?.reasons).toMatchObject([{ code: "not_analyzed" }])
  const flow = "noFlow: { from: { text: two }, to: { key: memo } }"
  expect(decide(workflow, [flow])[0]?.verdict).toBe("unknown")
  const declared = "functions: { steps: { passes: false } }"
  expect(decide(workflow, [flow], declared)[0]?.verdict).toBe("proved")
})

test("an agent with a toolset calls its model after its tools are listed", () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "both",
    agents: [
      { type: "ParallelAgent", id: "both", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
      { type: "LlmAgent", id: "a", model: "small", tools: ["box"] },
      { type: "LlmAgent", id: "b", model: "small" },
    ],
    globalTools: [{ type: "Toolset", id: "box", toolFilter: ["dig"] }],
  }
  const [result] = decide(workflow, [
    'allow: { model: "*", by: b }\n    onlyAfter: { model: "*", by: a }',
  ])
  expect(result?.verdict).not.toBe("proved")
})

test("data reaches a key that a host function writes", () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "small", tools: ["note"] }],
    globalTools: [{ type: "FunctionTool", id: "note" }],
  }
  const rule = "noFlow: { from: { prompt: user }, to: { key: memo } }"
  const verdictWith = (functions: string) => decide(workflow, [rule], functions)[0]?.verdict
  expect(verdictWith("")).toBe("unknown")
  expect(verdictWith("functions: { note: { mayWrite: [memo] } }")).toBe("violated")
  expect(verdictWith("functions: { note: {} }")).toBe("proved")
})

/** Returns the verdict on a policy after its counterexample was played. */
async function playedVerdict(workflow: object, rule: string, others = ""): Promise<string> {
  const { chart } = compile(workflow)
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}\n${others}`)
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  const { results } = await decideSet(policies, chart, null)
  return results[0]?.verdict ?? ""
}

test.each([
  ["always answers", {}, "proved"],
  ["can be skipped", { when: "session_state.get('ask') == 1" }, "violated"],
])(
  "data in a key that a person overwrites has the expected verdict if the person %s",
  async (_who, boss, verdict) => {
    // All agents share a URL, and so do all tools.
    const endpoint = { httpConfig: { url: "https://agents.test/shared", method: "POST" } }
    const tool = {
      type: "HttpTool",
      httpConfig: { url: "https://tools.test/shared", method: "POST" },
    }
    const workflow = {
      rootAgentId: "main",
      agents: [
        {
          type: "SequentialAgent",
          id: "main",
          subAgents: [{ agentId: "reader" }, { agentId: "boss", ...boss }, { agentId: "poster" }],
        },
        { type: "LlmAgent", id: "reader", ...endpoint, tools: ["read"], outputKey: "found" },
        { type: "HumanAgent", id: "boss", prompt: "Is it fine?", outputKey: "found" },
        { type: "LlmAgent", id: "poster", ...endpoint, tools: ["post"] },
      ],
      globalTools: [
        { id: "read", ...tool },
        { id: "post", ...tool },
      ],
    }
    const rule = "noFlow: { from: { result: read }, to: { arguments: post } }"
    expect(await playedVerdict(workflow, rule)).toBe(verdict)
  },
)

test("data in a key that a person overwrites can leave a loop before the person answers", async () => {
  const agent = { agent_class: "LlmAgent", model: "small" }
  const workflow = {
    agent_class: "SequentialAgent",
    name: "main",
    sub_agents: [
      {
        agent_class: "LoopAgent",
        name: "rounds",
        max_iterations: 2,
        sub_agents: [
          {
            ...agent,
            name: "reader",
            instruction: "Read.",
            output_key: "found",
            tools: [{ name: "exit_loop" }],
          },
          { agent_class: "HumanAgent", name: "boss", prompt: "Is it fine?", output_key: "found" },
        ],
      },
      { ...agent, name: "poster", instruction: "Post {found?}." },
    ],
  }
  const rule = "noFlow: { from: { text: reader }, to: { instructions: poster } }"
  expect(await playedVerdict(workflow, rule)).toBe("violated")
})

test.each([
  ["atMost: 3\n    of: { finish: worker }", 3, "proved"],
  ["atMost: 3\n    of: { finish: worker }", 4, "violated"],
  ["budget: { modelCalls: 4 }", 5, "violated"],
  ["atMost: 20\n    of: { finish: worker }", 30, "unknown"],
])("the policy %s with %i items of a forEach block is %s", async (rule, maxItems, verdict) => {
  const endpoint = { httpConfig: { url: "https://agents.test/worker", method: "POST" } }
  const workflow = {
    rootAgentId: "main",
    agents: [
      {
        type: "ParallelAgent",
        id: "main",
        forEach: { items: `list(range(${maxItems}))`, as: "item", maxItems },
        subAgents: [{ agentId: "worker" }],
      },
      { type: "LlmAgent", id: "worker", ...endpoint },
    ],
  }
  expect(await playedVerdict(workflow, rule, "assume: { modelSignals: none }")).toBe(verdict)
})

test("items that are not explored count towards the model calls of a run", async () => {
  const endpoint = { httpConfig: { url: "https://agents.test/worker", method: "POST" } }
  const workflow = {
    rootAgentId: "main",
    maxModelCalls: 6,
    agents: [
      { type: "SequentialAgent", id: "main", subAgents: [{ agentId: "all" }, { agentId: "last" }] },
      {
        type: "ParallelAgent",
        id: "all",
        forEach: { items: "list(range(7))", as: "item", maxItems: 7 },
        subAgents: [{ agentId: "worker" }],
      },
      { type: "LlmAgent", id: "worker", ...endpoint },
      { type: "LlmAgent", id: "last", ...endpoint },
    ],
  }
  const rule = "whenever: { start: all }\n    then: { start: last }\n    evenIf: [limit]"
  expect(await playedVerdict(workflow, rule, "assume: { modelSignals: none }")).not.toBe("proved")
})

test("a counterexample contains only declared effects of functions", async () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "small", tools: ["note"] }],
    globalTools: [{ type: "FunctionTool", id: "note" }],
  }
  const rule = "never: { write: memo }"
  expect(await playedVerdict(workflow, rule)).toBe("unknown")
  const declared = "functions: { note: { mayWrite: [memo] } }"
  expect(await playedVerdict(workflow, rule, declared)).toBe("violated")
})

test("a counterexample can be played in a workflow with a MachineAgent that it does not reach", async () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "all",
    agents: [
      {
        type: "SequentialAgent",
        id: "all",
        subAgents: [{ agentId: "first" }, { agentId: "machine" }],
      },
      { type: "LlmAgent", id: "first", model: "small" },
      { type: "MachineAgent", id: "machine", service: "steps", subAgents: [{ agentId: "one" }] },
      { type: "LlmAgent", id: "one", model: "small" },
    ],
  }
  expect(await playedVerdict(workflow, "never: { finish: first }")).toBe("violated")
})

test("a callback before the model can answer or throw, so that no model is called", () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "small", beforeModelCallback: "hook" }],
  }
  const rule = "whenever: { start: clerk }\n    then: { model: small }\n    per: agent clerk"
  const verdictWith = (functions: string, evenIf = "") =>
    decide(workflow, [`${rule}${evenIf}`], functions)[0]?.verdict
  expect(verdictWith("")).toBe("unknown")
  expect(verdictWith("functions: { hook: {} }")).toBe("proved")
  expect(verdictWith("functions: { hook: { mayAnswer: true } }")).toBe("violated")
  const never = "never: { finish: clerk, outcome: [failed] }\n    per: agent clerk"
  expect(decide(workflow, [never], "functions: { hook: {} }")[0]?.verdict).toBe("violated")
})
