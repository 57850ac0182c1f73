import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import {
  ParallelAgent as ParallelAgentClass,
  LlmAgent,
  InMemoryRunner,
} from "../../src/adk/index.js"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { interpreters, play } from "../support/in-both-interpreters.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"
import { scriptedServices } from "../support/scripted-services.js"
import { human, llm, parallel, sequence } from "../support/workflow.js"

type Fields = Readonly<Record<string, unknown>>

function chartOf(agents: readonly Fields[], more: Fields = {}): AgentChart {
  const { chart, diagnostics } = compile({
    rootAgentId: agents[0]?.["id"],
    agents,
    initialUserInput: "go",
    ...more,
  })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const overList = (items: string, more: Fields = {}, fields: Fields = {}): AgentChart =>
  chartOf([
    parallel("all", ["worker"], {
      forEach: { items, collect: { out: "worker_text" }, ...more },
      ...fields,
    }),
    llm("worker"),
  ])

/** A model that answers with the item of its branch, and with an error for the items in `failing`. */
function itemServices(failing: readonly unknown[] = []) {
  const seen: unknown[] = []
  const call = async ({ state }: { readonly state: Readonly<Record<string, unknown>> }) => {
    seen.push(state["item"])
    if (failing.includes(state["item"])) throw new Error("no")
    return { content: JSON.stringify(state["item"]) }
  }
  return {
    seen,
    http: { model: { call }, tool: { call: () => Promise.reject(new Error("none")) } },
  }
}

describe.each(interpreters)("the items of a block (%s)", (interpreter) => {
  test.each<[string, readonly unknown[]]>([
    ["(1, 'two', None, True)", [1, "two", null, true]],
    ["[(1, (2, 3)), {'a': (4,)}]", [[1, [2, 3]], { a: [4] }]],
    ["[1.0, 2.5, -0.0]", [1, 2.5, 0]],
    ["[d for d in session_state['docs'] if d['size'] > 1]", [{ size: 2, tags: ["x"] }]],
    ["sorted(session_state['names'])", ["a", "b"]],
    ["[session_state['docs']]", [[{ size: 1 }, { size: 2, tags: ["x"] }]]],
  ])("the items %s are converted to JSON", async (items, expected) => {
    const chart = overList(items)
    const { http, seen } = itemServices()
    const state = { docs: [{ size: 1 }, { size: 2, tags: ["x"] }], names: ["b", "a"] }
    const { rested } = await play(
      interpreter,
      { ...chart, input: { ...chart.input, state } },
      { http },
    )
    expect(rested).toMatchObject({ status: "completed", error: null })
    expect(seen).toEqual(expected)
    expect(rested.state["out"]).toEqual(expected.map((item) => JSON.stringify(item)))
  })

  test.each([
    ["session_state.get('ghost', 3)", "for_each_not_a_list", ["all", "forEach", "list", "int"]],
    ["{'a': 1}", "for_each_not_a_list", ["list", "dict"]],
    ["'abc'", "for_each_not_a_list", ["list", "str"]],
    ["[1, {2}]", "for_each_failed", ["TypeError", "[1]", "set"]],
    ["[{'a': [9007199254740993]}]", "for_each_failed", ['[0]["a"][0]', "int"]],
    ["[{1: 2}]", "for_each_failed", ["key", "int"]],
    ["[float('nan')]", "for_each_failed", ["float"]],
    ["session_state['ghost']", "for_each_failed", ["KeyError", "ghost"]],
    ["[1, 2, 3, 4]", "for_each_too_many_items", ["4", "3", "maxItems"]],
  ])(
    "a block with the invalid items %s fails before a branch starts",
    async (items, code, words) => {
      const { http, seen } = itemServices()
      const { rested, events } = await play(interpreter, overList(items, { maxItems: 3 }), { http })
      expect(rested).toMatchObject({ status: "failed", error: { code, agent: "all" } })
      for (const word of words) expect(rested.error?.message).toContain(word)
      expect(rested.state).not.toHaveProperty("out")
      expect(seen).toEqual([])
      expect(events.map(({ type }) => type)).toEqual(["agent.started", "agent.finished"])
    },
  )

  test("a failed block inside a block that collects failures does not end the run", async () => {
    const chart = chartOf([
      parallel("both", ["all", "other"], { failurePolicy: "collect" }),
      parallel("all", ["worker"], { forEach: { items: "session_state['ghost']" } }),
      llm("worker"),
      llm("other"),
    ])
    const { rested } = await play(
      interpreter,
      chart,
      scriptedServices({ other: [{ content: "x" }] }),
    )
    expect(rested).toMatchObject({
      status: "completed",
      state: { other_text: "x", branch_errors: { all: { agent: "all" } } },
    })
  })
})

describe.each(interpreters)("the completion of a block (%s)", (interpreter) => {
  const reviewers = (completion: unknown, more: Fields = {}, whens: readonly string[] = []) =>
    chartOf([
      parallel(
        "vote",
        ["a", "b", "c"].map((agentId, index) => ({
          agentId,
          ...(whens[index] === undefined ? {} : { when: whens[index] }),
        })),
        { completion, ...more },
      ),
      llm("a"),
      llm("b"),
      llm("c"),
    ])
  const texts = { a: [{ content: "A" }], b: [{ content: "B" }], c: [{ content: "C" }] }

  test("a block fails before later branches start if a skipped branch makes its completion unreachable", async () => {
    const services = scriptedServices(texts)
    const chart = reviewers({ quorum: 3 }, { maxConcurrency: 1 }, ["'no' == 'yes'"])
    const { rested } = await play(interpreter, chart, services)
    expect(rested).toMatchObject({
      status: "failed",
      error: { code: "completion_unreachable", agent: "vote" },
    })
    expect(services.modelCalls).toEqual([])
  })

  test("a block completes if every branch is skipped, one after another", async () => {
    const no = "session_state.get('x') == 1"
    const chart = reviewers({ quorum: 3 }, { maxConcurrency: 1 }, [no, no, no])
    const { rested, events } = await play(interpreter, chart, scriptedServices({}))
    expect(rested).toMatchObject({ status: "completed", text: null })
    expect(events.filter(({ type }) => type === "agent.skipped")).toHaveLength(3)
  })

  test("a block merges the branch that ends the workflow, but not a failed branch", async () => {
    const services = scriptedServices({
      a: [{ status: 400 }],
      b: [{ content: "B", exitFlow: true }],
      c: [{ content: "C" }],
    })
    const chart = reviewers({ quorum: 2 }, { maxConcurrency: 1 })
    const { rested, events } = await play(interpreter, chart, services)
    expect(rested).toMatchObject({ status: "completed", state: { b_text: "B" } })
    expect(events.find(({ type }) => type === "parallel.joined")).toMatchObject({
      merged: ["vote.1"],
      dropped: ["vote.0", "vote.2"],
    })
  })

  test("the error of a block over a list names the failed branches with their index", async () => {
    const chart = overList("['x', 'y', 'z']", {}, { completion: { quorum: 2 }, maxConcurrency: 1 })
    const { http, seen } = itemServices(["x", "y"])
    const { rested } = await play(interpreter, chart, { http })
    expect(rested.error).toMatchObject({ code: "completion_unreachable" })
    for (const part of ["all", "completion", "all.0", "all.1", "worker"])
      expect(rested.error?.message).toContain(part)
    expect(seen).toEqual(["x", "y"])
    expect(rested.state["out"]).toEqual([null, null, null])
  })
})

test("a nested block is resumed from every record of its journal", async () => {
  const chart = chartOf(
    [
      sequence("line", ["groups", "end"]),
      parallel("groups", ["cells"], {
        forEach: { items: "session_state['groups']", as: "group", collect: { all: "inner" } },
        failurePolicy: "collect",
      }),
      parallel("cells", ["lane"], {
        forEach: { items: "session_state['group']", collect: { inner: "second_text" } },
        maxConcurrency: 2,
        failurePolicy: "collect",
        completion: { quorum: 2 },
      }),
      sequence("lane", ["first", "second"]),
      llm("first"),
      llm("second"),
      llm("end"),
    ],
    { state: { groups: [["a", "b", "c"], [], ["d"]] } },
  )
  const services = () => {
    const call = async ({
      agent,
      state,
    }: {
      agent: string
      state: Readonly<Record<string, unknown>>
    }) => {
      if (agent === "second" && state["item"] === "a") throw new Error("no")
      return { content: `${agent} ${JSON.stringify(state["item"] ?? null)}` }
    }
    return { http: { model: { call }, tool: { call: () => Promise.reject(new Error("none")) } } }
  }
  const played = await playBoth(chart, services)
  expect(played.result).toMatchObject({
    status: "completed",
    state: {
      all: [[null, 'second "b"', 'second "c"'], [], ['second "d"']],
      branch_errors: { "cells[0].lane[0]": { agent: "second" } },
    },
  })
  expect(played.result.state).not.toHaveProperty("item")
  await resumeEverywhere(played, services)
})

test("the pending requests of several branches are restored from the snapshot of an actor", async () => {
  const chart = chartOf([
    parallel("all", ["boss"], {
      forEach: { items: "['x', 'y', 'z']", as: "city", collect: { answers: "boss_answer" } },
      completion: { quorum: 2 },
    }),
    human("boss"),
  ])
  const first = createActor(toMachine(chart, scriptedServices({})), { input: { runId: "r" } })
  const before = controlActor(first)
  first.start()
  await before.whenSettled()
  before.answer(before.pending()[2]?.id ?? "", "Z")
  await before.whenSettled()
  const stored = JSON.parse(JSON.stringify(first.getPersistedSnapshot())) as never
  const open = before.pending()
  expect(open.map(({ branch }) => branch)).toEqual(["all.0", "all.1"])
  first.stop()
  const second = createActor(toMachine(chart, scriptedServices({})), { snapshot: stored })
  const after = controlActor(second)
  second.start()
  await after.whenSettled()
  expect(after.pending()).toEqual(open)
  after.answer(open[0]?.id ?? "", "X")
  expect(await after.result).toMatchObject({
    status: "completed",
    state: { answers: ["X", null, "Z"] },
  })
  expect(after.pending()).toEqual([])
})

test("a snapshot from a version without forEach and completion can be restored", async () => {
  const chart = chartOf([
    parallel("all", ["one", "two"], { maxConcurrency: 1 }),
    human("one"),
    llm("two"),
  ])
  const services = () => scriptedServices({ two: [{ content: "2" }] })
  const first = createActor(toMachine(chart, services()), { input: { runId: "r" } })
  const before = controlActor(first)
  first.start()
  await before.whenSettled()
  const old = JSON.parse(
    JSON.stringify(first.getPersistedSnapshot(), (key, value: unknown) =>
      ["items", "successes", "skipsAll"].includes(key) ? undefined : value,
    ),
  ) as never
  first.stop()
  const second = createActor(toMachine(chart, services()), { snapshot: old })
  const after = controlActor(second)
  second.start()
  await after.whenSettled()
  after.answer(after.pending()[0]?.id ?? "", "1")
  expect(await after.result).toMatchObject({
    status: "completed",
    state: { one_answer: "1", two_text: "2" },
  })
})

test.each([
  ["forEach", overList("['x', 'y', 'z']")],
  ["completion", overList("['x', 'y']", {}, { completion: "first-success" })],
])("a run is not resumed with a changed %s", async (_, changed) => {
  const journal = memoryJournal()
  const hanging = { call: () => new Promise<never>(() => {}) }
  const runner = createRunner({ http: { model: hanging, tool: hanging }, journal })
  runner.start(overList("['x', 'y']"), { runId: "r1" })
  await runner.close()
  const again = createRunner({ http: itemServices().http, journal })
  await expect(again.resume("r1", { chart: changed })).rejects.toMatchObject({
    code: "chart_differs",
  })
  const run = await again.resume("r1")
  expect(await run.result).toMatchObject({ status: "completed", state: { out: ['"x"', '"y"'] } })
})

test("the ADK class ParallelAgent supports forEach and completion", async () => {
  const agent = new ParallelAgentClass({
    name: "all",
    subAgents: [
      new LlmAgent({ name: "worker", model: "m", instruction: "{doc}", outputKey: "text" }),
    ],
    forEach: { items: "['a', 'b', 'c']", as: "doc", collect: { texts: "text" } },
    completion: { quorum: 2 },
    maxConcurrency: 1,
  })
  const heard: unknown[] = []
  const models = {
    m: {
      call: async ({ state }: { readonly state: Readonly<Record<string, unknown>> }) => {
        heard.push(state["doc"])
        return { content: `read ${String(state["doc"])}` }
      },
    },
  }
  const runner = new InMemoryRunner({ agent, appName: "app", models })
  const session = await runner.sessionService.createSession({ appName: "app", userId: "u" })
  const events = runner.runAsync({
    userId: "u",
    sessionId: session.id,
    newMessage: { role: "user", parts: [{ text: "go" }] },
  })
  for await (const event of events) expect(event.errorMessage).toBeUndefined()
  const stored = await runner.sessionService.getSession({
    appName: "app",
    userId: "u",
    sessionId: session.id,
  })
  expect(stored?.state).toMatchObject({ texts: ["read a", "read b", null] })
  expect(stored?.state).not.toHaveProperty("doc")
  expect(heard).toEqual(["a", "b"])
})
