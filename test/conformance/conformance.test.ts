import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { isForRunOnly, tryVector, type Vector } from "./play.mjs"
import { isTimed, loadVectors } from "./run.mjs"
import { tryAtTwoSpeeds } from "./slow-motion.js"
import { changesOfRerun } from "../support/changes-of-rerun.js"
import { memoryJournal } from "../../src/runtime/index.js"

const here = fileURLToPath(new URL(".", import.meta.url))
const vectors = loadVectors(`${here}vectors`)
const vectorNamed = (id: string): Vector => {
  const found = vectors.find((vector) => vector.id === id)
  if (found === undefined) throw new Error(`there is no vector ${id}`)
  return structuredClone(found)
}

/** Plays a vector with both interpreters, and executes its stored runs again. */
async function playVector(vector: Vector): Promise<void> {
  const interpreters = isForRunOnly(vector) ? ["run" as const] : ["run" as const, "actor" as const]
  for (const interpreter of interpreters) {
    let journal = memoryJournal()
    const failures = await tryAtTwoSpeeds(vector, (played) =>
      tryVector(played, interpreter, (opened) => void (journal = opened)),
    )
    expect(failures, `${vector.title}, by ${interpreter}`).toEqual([])
    for (const stored of Object.values(journal.toJSON()))
      expect(await changesOfRerun(stored)).toEqual([])
  }
}

describe("conformance vectors in both interpreters", () => {
  const [timed, untimed] = [true, false].map((are) =>
    vectors.filter((vector) => isTimed(vector) === are),
  )

  // Each vector waits for timers and sockets most of the time.
  describe.concurrent("vectors that do not measure time", () => {
    test.each(untimed ?? [])("the vector $id passes", playVector)
  })

  describe("vectors that measure time, which run alone", () => {
    test.each(timed ?? [])("the vector $id passes", playVector)
  })
})

/** Each mutation replaces a value of a vector with a wrong value. */
const mutations: readonly [id: string, place: string, wrong: unknown][] = [
  ["sequential/declared-order", "expect.state.k_b", "another text"],
  ["sequential/declared-order", "expect.state.k_more", "never written"],
  ["sequential/declared-order", "expect.state", { k_a: "A", k_b: "B" }],
  ["sequential/declared-order", "expect.llmCalls", ["a", "b", "c"]],
  ["sequential/declared-order", "expect.llmCalls", ["b", "a"]],
  ["sequential/declared-order", "expect.status", "limit"],
  ["sequential/declared-order", "expect.status", "invalid"],
  ["sequential/declared-order", "expect.finalText", "A"],
  ["sequential/declared-order", "expect.neverContains", ["C"]],
  ["sequential/declared-order", "expect.weather", "fine"],
  ["sequential/declared-order", "llm.a", [{ content: "A" }, { content: "never asked for" }]],
  ["sequential/declared-order", "llm.a", []],
  [
    "sequential/isolated-histories",
    "expect.requests.0.messages",
    [{ role: "user", content: "stop" }],
  ],
  ["sequential/isolated-histories", "expect.requests.0.state", {}],
  ["sequential/isolated-histories", "expect.requests.0.nth", 1],
  [
    "hitl/three-open-answered-out-of-order",
    "expect.pendingBeforeInputs.0",
    [{ agent: "a" }, { agent: "b" }],
  ],
  ["hitl/three-open-answered-out-of-order", "expect.pendingBeforeInputs.0.1.kind", "human"],
  ["hitl/three-open-answered-out-of-order", "expect.statusBeforeInputs.2", "completed"],
  [
    "hitl/three-open-answered-out-of-order",
    "expect.toolCalls",
    [
      { tool: "act", args: { who: "b" } },
      { tool: "act", args: { who: "c" } },
    ],
  ],
  ["hitl/three-open-answered-out-of-order", "inputs.0.on", {}],
  ["hitl/second-answer-is-refused", "inputs.1.fails", ["words that no refusal has"]],
  ["hitl/second-answer-is-refused", "inputs.2.fails", []],
  ["templates/secret-in-header", "expect.neverContains", ["acme"]],
  ["templates/secret-in-header", "expect.requests.0.headers.authorization", "Bearer nothing"],
  ["idempotency/same-over-attempts", "expect.idempotencyKeys.same", [["caller#0", "caller#2"]]],
  ["idempotency/same-over-attempts", "expect.idempotencyKeys.different", ["caller#0", "caller#1"]],
  ["retries/backoff-grows", "expect.gaps.1.atLeastMs", 60_000],
  ["parallel/five-branches", "expect.maxConcurrentLlmCalls.atLeast", 6],
  ["parallel/branch-stamping", "expect.eventsAnyOrder.0.branch", "fan.1"],
  ["resume/checkpoint-events", "expect.eventsAbsent.0.completedSubAgents", 2],
  ["resume/checkpoint-events", "expect.events.0.completedSubAgents", 2],
  ["resume/sequence-skips-finished", "expect.llmCalls", ["a", "b", "a", "b", "c"]],
  ["retries/422-is-not-retried", "expect.errorContains", ["caller", "423"]],
  ["warnings/clean-config-has-none", "expect.warningsContain", [["a warning"]]],
  ["warnings/unreachable-agent", "expect.noWarnings", true],
  ["warnings/unreachable-agent", "expect.warningsAbsent", ["orphan"]],
  ["callbacks/list-first-answer-wins", "expect.hostLog", ["one"]],
  [
    "callbacks/plugin-before-agent-callback",
    "expect.hostLog",
    ["agent", "plugin", "agent after", "plugin after"],
  ],
  ["callbacks/after-model-replaces", "config.agents.0.afterModelCallback", {}],
  [
    "callbacks/before-tool-changes-arguments",
    "config.agents.0.beforeToolCallback.setArgs.city",
    "Oslo",
  ],
  [
    "custom/custom-in-sequence",
    "config.agents.1.script.0.setState.my_custom_result",
    "another text",
  ],
  ["custom/storyflow-regenerates", "config.agents.0.script.4.if.equals", "positive"],
  ["instructions/from-a-service", "services.greeting.returns", "Another text."],
  ["policy/deny", "config.plugins.0.policyEngine.rules.0.outcome", "ALLOW"],
  ["invalid/agents-missing", "expect.errorContains", ["words that no error has"]],
  ["invalid/agents-missing", "expect.status", "completed"],
]

function put(target: any, place: string, value: unknown): void {
  // any: the path may lead to a value of any type
  const names = place.split(".")
  const last = names.pop() ?? ""
  for (const name of names) target = target[name]
  target[last] = value
}

describe("vectors with a wrong value", () => {
  test.each(mutations)("the vector %s fails if %s is %j", async (id, place, wrong) => {
    const vector = vectorNamed(id)
    put(vector, place, wrong)
    expect(await tryVector(vector, "run")).not.toEqual([])
    if (!isForRunOnly(vector)) expect(await tryVector(vector, "actor")).not.toEqual([])
  })
})

describe("the harness itself", () => {
  test("the harness has fewer than 1,100 lines", () => {
    const files = readdirSync(here).filter((name) => name.endsWith(".mjs"))
    const lines = files.map(
      (name) =>
        readFileSync(here + name, "utf8")
          .trimEnd()
          .split("\n").length,
    )
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(1100)
  })

  test("the harness loads every vector once, and the id of a vector is its path", () => {
    const files = readdirSync(`${here}vectors`, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".json"))
    expect(vectors.map(({ id }) => `${id}.json`)).toEqual(files.sort())
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length)
    expect(
      vectors.filter(({ dialect }) => dialect === "graph-compose").length,
    ).toBeGreaterThanOrEqual(237)
  })

  test("`isTimed` selects the vectors that measure time", () => {
    expect(vectors.filter(isTimed).map(({ id }) => id)).toEqual(
      expect.arrayContaining(["retries/backoff-grows", "concurrency/two-at-a-time"]),
    )
  })

  test("a vector with an unknown field fails", async () => {
    const vector = { ...vectorNamed("sequential/declared-order"), weather: "fine" }
    expect((await tryVector(vector, "run")).join()).toContain("does not know weather")
  })
})
