import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/index.js"
import { createPolicyMonitor } from "../../src/policies/monitor/monitor.js"
import { createRunner } from "../../src/runtime/index.js"

const llm = (id: string) => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `https://agents.test/${id}`, method: "POST" },
})

const skipped = (agentId: string) => ({ agentId, when: "1 == 2" })

const containers = {
  "a sequence whose agents are all skipped": {
    type: "SequentialAgent",
    subAgents: [skipped("a"), skipped("b")],
  },
  "a block whose agents are all skipped": {
    type: "ParallelAgent",
    subAgents: [skipped("a"), skipped("b")],
  },
  "a block whose items are all skipped": {
    type: "ParallelAgent",
    subAgents: [skipped("a")],
    forEach: { items: "[1, 2]", as: "item", maxItems: 2 },
  },
  "a block without items": {
    type: "ParallelAgent",
    subAgents: [{ agentId: "a" }],
    forEach: { items: "[]", as: "item", maxItems: 2 },
  },
  "a block with too many items": {
    type: "ParallelAgent",
    subAgents: [{ agentId: "a" }],
    forEach: { items: "[1, 2, 3]", as: "item", maxItems: 2 },
  },
  "a block with too few items for its quorum": {
    type: "ParallelAgent",
    subAgents: [{ agentId: "a" }],
    forEach: { items: "[1]", as: "item", maxItems: 2 },
    failurePolicy: "fail-fast",
    completion: { quorum: 2 },
  },
}

const ends = "{ finish: x, outcome: [done, failed] }"
const rules = [
  `never: { start: first }\n    after: ${ends}`,
  `never: { start: last }\n    after: ${ends}`,
  "never: { start: first }\n    after: { start: x }",
  `never: ${ends}\n    after: { start: first }`,
  `never: ${ends}\n    after: { start: last }`,
]

test.each(
  Object.entries(containers).flatMap(([name, container]) =>
    [{}, { maxConcurrency: 5 }].map((limits) => [name, limits, container] as const),
  ),
)(
  "no run violates a policy that is proved for %s, which ends immediately (%j)",
  async (_name, limits, container) => {
    const branches = ["first", "x", "last"].map((agentId) => ({ agentId }))
    const chart = compileOrThrow({
      rootAgentId: "main",
      agents: [
        { type: "ParallelAgent", id: "main", subAgents: branches, ...limits },
        { id: "x", ...container },
        ...["a", "b", "first", "last"].map(llm),
      ],
    })
    const entries = rules.map((rule, index) => `  - name: p${index}\n    ${rule}`)
    const { policies } = readPolicies(`policies:\n${entries.join("\n")}`)
    if (policies === null) throw new Error("the policies are wrong")
    const proved = analyzeChart(chart, { policies }).policies.flatMap(({ name, verdict }) =>
      verdict === "proved" ? [name] : [],
    )
    const runner = createRunner({
      http: {
        model: { call: () => Promise.resolve({ content: "ok" }) },
        tool: { call: () => Promise.resolve({}) },
      },
    })
    const monitor = createPolicyMonitor(chart, policies)
    const violated = new Set<string>()
    const run = runner.start(chart, { prompt: "go" })
    run.events$.subscribe((event) => {
      for (const { policy } of monitor.follow(event)) violated.add(policy)
    })
    await run.result
    await runner.close()
    expect(violated.size).toBeGreaterThan(0)
    expect(proved.filter((name) => violated.has(name))).toEqual([])
  },
)
