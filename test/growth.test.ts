import { countOperations, expectLinearGrowth } from "./support/grows-linearly.js"
import { describe, expect, test } from "vitest"
import { createMask } from "../src/adapters/http/secrets/mask-secrets.js"
import { analyzeChart } from "../src/analysis/index.js"
import { decideFlow } from "../src/analysis/flow/decide-flow.js"
import { compileOrThrow } from "../src/compiler/compile-or-throw.js"
import { compile } from "../src/compiler/compile.js"
import { readPolicies } from "../src/compiler/index.js"
import { readWorkflow } from "../src/compiler/read-workflow.js"
import { drawSvg } from "../src/drawing/index.js"
import type { AgentChart } from "../src/machines/contract/agent-chart.js"
import { compileCondition, conditionLimits } from "../src/expression/index.js"
import type { HostFunction } from "../src/runtime/host/host-function.js"
import { memoryJournal } from "../src/runtime/host/memory-journal.js"
import { createRunner } from "../src/runtime/runner/runner.js"
import { parseTemplate } from "../src/template/parse/parse-template.js"
import { llmAgent, sequence as sequenceConfig, workflow } from "./compiler/example-configs.js"
import { escapeAttempts } from "./expression/escape-attempts.js"
import { trapState } from "./expression/trapped-state.js"
import { sampleOf } from "./support/random-cases.js"
import { scriptedServices } from "./support/scripted-services.js"
import { chartOf, llm, loop, parallel, sequence } from "./support/workflow.js"

const idsOf = (size: number): readonly string[] =>
  Array.from({ length: size }, (_, index) => `a${index}`)

test("expectLinearGrowth detects quadratic work, even without function calls", async () => {
  const pairs = (size: number): number => {
    let sum = 0
    for (let one = 0; one < size; one++) for (let other = 0; other < size; other++) sum += other
    return sum
  }
  await expect(expectLinearGrowth(100, pairs)).rejects.toThrow("to be less than 16")
})

describe("the work of the compiler", () => {
  test.each([
    [
      "agents",
      (ids: readonly string[]) =>
        workflow([
          sequenceConfig("all", ids),
          ...ids.map((id) => llmAgent(id, { outputKey: `key_${id}` })),
        ]),
    ],
    [
      "parallel branches",
      (ids: readonly string[]) =>
        workflow([
          { ...sequenceConfig("all", ids), type: "ParallelAgent" },
          ...ids.map((id) => llmAgent(id, { outputKey: "summary" })),
        ]),
    ],
    ["unreachable agents", (ids: readonly string[]) => workflow(ids.map((id) => llmAgent(id)))],
    [
      "invalid references",
      (ids: readonly string[]) => workflow(ids.map((id) => sequenceConfig(id, [`no_${id}`]))),
    ],
  ])("the work of the compiler is linear in the number of %s", async (_, config) => {
    await expectLinearGrowth(100, (size) => readWorkflow(JSON.stringify(config(idsOf(size)))))
  })
})

test("the work of an analysis is linear in the number of agents", async () => {
  const chartWith = (size: number): AgentChart => {
    const blocks = Array.from({ length: size / 10 }, (_, index) =>
      (index % 2 === 0 ? parallel : sequence)(
        `b${index}`,
        idsOf(size).slice(index * 10, index * 10 + 10),
      ),
    )
    return chartOf([
      loop(
        "all",
        blocks.map((block) => String(block["id"])),
        3,
      ),
      ...blocks,
      ...idsOf(size).map((id) => llm(id, { outputKey: "k" })),
    ])
  }
  const charts = new Map([100, 800].map((size) => [size, chartWith(size)]))
  await expectLinearGrowth(100, (size) => analyzeChart(charts.get(size) ?? chartWith(size)))
})

test("the work of a flow policy is linear in the nodes of a graph that lists them from last to first", async () => {
  const { policies } = readPolicies(
    "policies:\n  - name: p\n    noFlow: { from: { result: n0 }, to: { request: n1 } }",
  )
  const [policy] = policies?.policies ?? []
  if (policies === null || policy === undefined) throw new Error("the policy is invalid")
  const chartWith = (size: number): AgentChart => {
    const names = Array.from({ length: size }, (_, index) => `n${index}`)
    return compileOrThrow({
      agent_class: "Workflow",
      name: "desk",
      edges: [["START", ...names]],
      nodes: names.toReversed().map((name) => ({ name, model: "m", instruction: "Write." })),
    })
  }
  const charts = new Map([50, 400].map((size) => [size, chartWith(size)]))
  await expectLinearGrowth(50, (size) =>
    decideFlow(charts.get(size) ?? chartWith(size), policy, policies),
  )
})

test("the work of a drawing is linear in the number of agents", async () => {
  await expectLinearGrowth(50, async (size) => {
    const ids = idsOf(size)
    return await drawSvg(chartOf([sequence("all", ids), ...ids.map((id) => llm(id))]), {
      expand: true,
    })
  })
})

test("the work of a parallel block is linear in the number of its items", async () => {
  const chart = chartOf(
    [
      parallel("all", ["worker"], {
        forEach: { items: "session_state['docs']", collect: { out: "worker_text" }, maxItems: 1e5 },
        failurePolicy: "collect",
      }),
      llm("worker"),
    ],
    { initialUserInput: "go", maxModelCalls: 1e6 },
  )
  const call = async ({ state }: { readonly state: Readonly<Record<string, unknown>> }) => {
    if (Number(state["item"]) % 10 === 0) throw new Error("no")
    return { content: "ok" }
  }
  const http = { model: { call }, tool: { call: () => Promise.reject(new Error("none")) } }
  await expectLinearGrowth(100, async (size) => {
    const docs = Array.from({ length: size }, (_, index) => index)
    const run = createRunner({ http, journal: memoryJournal() }).start(chart, { state: { docs } })
    const { state, status } = await run.result
    expect(status).toBe("completed")
    expect(state["out"]).toHaveLength(size)
  })
})

test("the work of writing state keys is linear in their number, even for keys such as __proto__", async () => {
  const { chart } = compile(
    { name: "flow", agentClass: "CustomAgent", initialUserInput: "go", state: { topic: "tea" } },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error("The config has errors.")
  await expectLinearGrowth(500, async (size) => {
    const keys = ["__proto__", "constructor", ...idsOf(size)]
    const flow: HostFunction = ({ state }) => {
      for (const key of keys) state.set(key, key)
      for (const key of keys.slice(2)) state.delete(key)
      state.set("seen", [
        state.get("__proto__"),
        state.has("a1"),
        state.has("toString"),
        Object.keys(state.toObject()),
      ])
      return "done"
    }
    const runner = createRunner({ ...scriptedServices({}), services: { flow } })
    const { state } = await runner.start(chart).result
    expect(Object.keys(state)).toEqual(
      expect.arrayContaining(["__proto__", "constructor", "topic"]),
    )
    expect(state["seen"]).toEqual([
      "__proto__",
      false,
      false,
      ["topic", "__proto__", "constructor"],
    ])
  })
})

test("the work of masking secrets is linear in the length of the text", async () => {
  const repeated = createMask([{ value: `${"a".repeat(60)}b`, label: "[secret A]" }])
  await expectLinearGrowth(500, (length) => repeated.text(`%41${"a".repeat(length)}`))
})

test("the work of parsing a template without an end is linear in its length", async () => {
  await expectLinearGrowth(2_000, (length) =>
    expect(() => parseTemplate(`{{ ${"a ".repeat(length)}`)).toThrow('no "}}"'),
  )
})

test("a condition that creates large values needs at most 40 operations for each step of the limit", async () => {
  const { state } = trapState()
  const bombs = sampleOf(
    escapeAttempts.filter(({ name }) => /bomb/.test(name)),
    3,
  )
  for (const { name, source } of bombs) {
    const operations = await countOperations(() => {
      try {
        void compileCondition(source).evaluate(state).repr
      } catch (error) {
        expect(error).toHaveProperty("name", expect.stringMatching(/^Condition/))
      }
    })
    expect(operations, name).toBeLessThan(40 * conditionLimits.steps)
  }
})
