import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/1-parse/policies/read-policies.js"
import { createPolicyMonitor } from "../../src/policies/monitor/monitor.js"
import { createRunner } from "../../src/runtime/index.js"
import { expectationsOf, playRun, workflowOf } from "./play-run.js"

const folder = fileURLToPath(new URL("vectors/", import.meta.url))

/**
 * The root of this workflow uses a model by name, whose final response ends the run
 * (docs/semantics.md#models-by-name). So the run of the vector ends before its violation.
 */
const endsEarlier = "cycles-of-the-root"

const plays = readdirSync(folder)
  .sort()
  .flatMap((name) =>
    Object.entries(expectationsOf(join(folder, name)).policies ?? {}).flatMap(([policy, one]) =>
      one.play === undefined || name === endsEarlier ? [] : [{ name, policy, play: one.play }],
    ),
  )

test.each(plays)(
  "the monitor finds the violation of $policy in the run of $name",
  async ({ name, policy, play }) => {
    const vector = join(folder, name)
    const { policies } = readPolicies(readFileSync(join(vector, "policy.yaml"), "utf8"))
    const chart = compileOrThrow(readFileSync(workflowOf(vector), "utf8"))
    const { events, stderr } = await playRun(vector, play)
    expect(events, stderr).not.toEqual([])
    if (policies === null) throw new Error("the policy file has problems")
    const monitor = createPolicyMonitor(chart, policies)
    const violated = new Set<string>()
    for (const event of events) {
      const foreseen = monitor.violatedBy(event).map((one) => one.name)
      const found = monitor.follow(event).map((one) => one.policy)
      if (["tool.called", "model.called", "agent.started"].includes(event.type))
        expect(foreseen).toEqual(found)
      for (const one of found) violated.add(one)
    }
    if (play.unseen !== true) expect([...violated]).toContain(policy)
    const expected = expectationsOf(vector).policies ?? {}
    for (const [other, { verdict }] of Object.entries(expected))
      if (verdict === "proved") expect([...violated]).not.toContain(other)
  },
)

test("each run of a graph node is a separate activation", async () => {
  const vector = join(folder, "at-most-in-a-graph")
  const { policies } = readPolicies(`
policies:
  - name: drafts-of-models
    per: agent draft
    allow: { finish: draft }
    onlyAfter: { model: "*" }
  - name: no-models
    per: iteration of draft
    never: { model: "*" }
`)
  if (policies === null) throw new Error("the policy file has problems")
  const chart = compileOrThrow(readFileSync(workflowOf(vector), "utf8"))
  const play = expectationsOf(vector).policies?.["one-draft"]?.play
  if (play === undefined) throw new Error("the vector has no play")
  const { events } = await playRun(vector, play)
  const paths = events.flatMap((event) => (event.type === "model.called" ? [event.path] : []))
  expect(paths).toEqual(["flow/draft", "flow/draft[1]"])
  const monitor = createPolicyMonitor(chart, policies)
  const violated = events.flatMap((event) => monitor.follow(event).map(({ policy }) => policy))
  expect(violated).toEqual(["no-models", "no-models"])
})

test("the monitor follows data through a key that an agent in a branch writes", async () => {
  const httpConfig = { url: "https://agents.test/agent", method: "POST" }
  const llm = (id: string, fields: object = {}) => ({ type: "LlmAgent", id, httpConfig, ...fields })
  const block = (id: string, branches: readonly string[]) => ({
    type: "ParallelAgent",
    id,
    subAgents: branches.map((agentId) => ({ agentId })),
    maxConcurrency: 1,
  })
  const chart = compileOrThrow({
    rootAgentId: "all",
    agents: [
      block("all", ["both", "last"]),
      block("both", ["left", "right"]),
      llm("left", { outputKey: "notes" }),
      llm("right"),
      llm("last"),
    ],
  })
  const { policies } = readPolicies(`
policies:
  - name: notes-stay
    noFlow: { from: { text: left }, to: { key: notes } }
`)
  if (policies === null) throw new Error("the policy file has problems")
  const model = { call: () => Promise.resolve({ content: "text" }) }
  const runner = createRunner({ http: { model, tool: { call: () => Promise.resolve({}) } } })
  const monitor = createPolicyMonitor(chart, policies)
  const violated: (readonly [string, string, string])[] = []
  const run = runner.start(chart, { prompt: "go" })
  run.events$.subscribe((event) => {
    for (const { policy } of monitor.follow(event)) violated.push([policy, event.type, event.agent])
  })
  await run.result
  await runner.close()
  expect(violated).toEqual(["both", "all"].map((by) => ["notes-stay", "state.changed", by]))
})

test.each([
  ["without a cleaner", [], ["left"]],
  ["but not through a cleaner", ["text: left"], []],
] as const)("data flows from a key to the same key %s", async (_name, unless, expected) => {
  const httpConfig = { url: "https://agents.test", method: "POST" }
  const chart = compileOrThrow({
    rootAgentId: "line",
    agents: [
      { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "left" }] },
      { type: "LlmAgent", id: "left", httpConfig, outputKey: "notes" },
    ],
    state: { notes: "old" },
  })
  const { policies } = readPolicies(`
policies:
  - name: notes-stay
    in: left
    noFlow: { from: { key: notes }, to: { key: notes } }
    unless: [${unless.map((cleaner) => `{ ${cleaner} }`).join()}]
`)
  if (policies === null) throw new Error("the policy file has problems")
  const [result] = analyzeChart(chart, { policies }).policies
  expect(result?.verdict).toBe(expected.length === 0 ? "proved" : "violated")
  const model = { call: () => Promise.resolve({ content: "text" }) }
  const runner = createRunner({ http: { model, tool: { call: () => Promise.resolve({}) } } })
  const monitor = createPolicyMonitor(chart, policies)
  const violated = new Set<string>()
  const run = runner.start(chart, { prompt: "go" })
  run.events$.subscribe((event) => {
    if (monitor.follow(event).length > 0) violated.add(event.agent)
  })
  await run.result
  await runner.close()
  expect([...violated]).toEqual(expected)
})
