import { describe, expect, test } from "vitest"
import { drawMermaid } from "../../src/drawing/index.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import {
  begin,
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
} from "../support/in-both-interpreters.js"

const llm = (id: string, fields: object = {}) => ({
  type: "LlmAgent",
  id,
  model: "any",
  instruction: "Work.",
  ...fields,
})

/** The fields of each kind of container, with `writer` as a sub-agent. */
const containers = {
  SequentialAgent: { subAgents: [{ agentId: "writer" }], outputKey: "story" },
  ParallelAgent: { subAgents: [{ agentId: "writer" }, { agentId: "other" }] },
  LoopAgent: { subAgents: [{ agentId: "writer" }], maxIterations: 1, outputKey: "story" },
  CustomAgent: { subAgents: [{ agentId: "writer" }], service: "flow" },
}

const kinds = Object.keys(containers) as (keyof typeof containers)[]

const chartFor = (kind: keyof typeof containers, callbacks: object, more: object = {}) =>
  chartOf({
    rootAgentId: "line",
    initialUserInput: "go",
    agents: [
      {
        type: "SequentialAgent",
        id: "line",
        subAgents: [{ agentId: "inner" }, { agentId: "reader" }],
      },
      { type: kind, id: "inner", ...containers[kind], ...callbacks },
      llm("writer"),
      ...(kind === "ParallelAgent" ? [llm("other")] : []),
      llm("reader"),
    ],
    ...more,
  })

const flow: HostFunction = async (context) => void (await context.runAgent("writer"))
const script = {
  writer: [{ content: "a draft" }],
  other: [{ content: "a draft" }],
  reader: [{ content: "read" }],
}
const hasOutputKey = (kind: string) => kind === "SequentialAgent" || kind === "LoopAgent"

describe.each(interpreters)("callbacks of agents other than LlmAgents (%s)", (interpreter) => {
  describe.each(kinds)("%s", (kind) => {
    test("an agent is skipped if its beforeAgentCallback returns content, which becomes its text", async () => {
      const told: unknown[] = []
      const before: HostFunction = ({ state, agent }, input) => {
        told.push({ agent, input })
        state.set("seen", true)
        return { content: "from the store" }
      }
      const { asked, models } = scriptedModel(script)
      const { rested, events } = await play(
        interpreter,
        chartFor(kind, { beforeAgentCallback: "before" }),
        { models, services: { before, flow } },
      )
      expect(told).toEqual([{ agent: "inner", input: { hook: "beforeAgent", text: null } }])
      expect(asked.map(({ agent }) => agent)).toEqual(["reader"])
      expect(rested).toMatchObject({
        status: "completed",
        text: "read",
        state: { seen: true, ...(hasOutputKey(kind) && { story: "from the store" }) },
      })
      expect(JSON.stringify(asked[0]?.messages)).toContain("[inner] said: from the store")
      expect(events).toContainEqual(
        expect.objectContaining({
          type: "agent.finished",
          agent: "inner",
          outcome: "done",
          text: "from the store",
        }),
      )
    })

    test("an afterAgentCallback can replace the text of the agent, which stays if nothing is returned", async () => {
      const told: unknown[] = []
      const after: HostFunction = (_, input) => {
        told.push(input)
        return { content: "better" }
      }
      const nothing: HostFunction = ({ state }) => state.set("looked", true)
      const { asked, models } = scriptedModel(script)
      const replaced = await play(
        interpreter,
        chartFor(kind, {
          beforeAgentCallback: "nothing",
          afterAgentCallback: ["nothing", "after"],
        }),
        { models, services: { after, nothing, flow } },
      )
      expect(told).toEqual([{ hook: "afterAgent", text: "a draft" }])
      expect(replaced.rested.state).toMatchObject({
        looked: true,
        ...(hasOutputKey(kind) && { story: "better" }),
      })
      expect(JSON.stringify(asked.at(-1)?.messages)).toContain("[inner] said: better")
      const left = await play(interpreter, chartFor(kind, { afterAgentCallback: "nothing" }), {
        ...scriptedModel(script),
        services: { nothing, flow },
      })
      expect(left.rested.state).toMatchObject({
        looked: true,
        ...(hasOutputKey(kind) && { story: "a draft" }),
      })
    })

    test.each(["before", "after"])(
      "the run fails if an agent's %sAgentCallback throws, and the error names agent and callback",
      async (moment) => {
        const broken: HostFunction = () => {
          throw new Error("no paper")
        }
        const { rested } = await play(
          interpreter,
          chartFor(kind, { [`${moment}AgentCallback`]: "broken" }),
          { ...scriptedModel(script), services: { broken, flow } },
        )
        expect(rested).toMatchObject({
          status: "failed",
          error: {
            agent: "inner",
            message: expect.stringMatching(/callback "broken" of agent "inner" failed: .*no paper/),
          },
        })
      },
    )

    test("the callbacks of plugins are called before the callbacks of the agent", async () => {
      const log: string[] = []
      const note =
        (name: string): HostFunction =>
        ({ agent }) =>
          void log.push(`${name} ${agent}`)
      const chart = chartFor(
        kind,
        { beforeAgentCallback: "own" },
        { plugins: [{ name: "audit", beforeAgentCallback: "audit" }] },
      )
      await play(interpreter, chart, {
        ...scriptedModel(script),
        services: { own: note("own"), audit: note("audit"), flow },
      })
      expect(log.filter((line) => line.endsWith("inner"))).toEqual(["audit inner", "own inner"])
      expect(log.filter((line) => line.startsWith("audit")).sort()).toEqual(
        ["line", "inner", "writer", "reader", ...(kind === "ParallelAgent" ? ["other"] : [])]
          .map((agent) => `audit ${agent}`)
          .sort(),
      )
    })
  })

  test("an escalation calls the afterAgentCallback of the loop and of the agents inside it", async () => {
    const log: string[] = []
    const note: HostFunction = ({ agent }) => void log.push(agent)
    const chart = chartOf({
      rootAgentId: "rounds",
      initialUserInput: "go",
      agents: [
        {
          type: "LoopAgent",
          id: "rounds",
          maxIterations: 9,
          afterAgentCallback: "note",
          subAgents: [{ agentId: "line" }, { agentId: "never" }],
        },
        {
          type: "SequentialAgent",
          id: "line",
          afterAgentCallback: "note",
          subAgents: [{ agentId: "judge" }],
        },
        llm("judge", { tools: ["exit_loop"] }),
        llm("never"),
      ],
    })
    const { asked, models } = scriptedModel({
      judge: [calls("exit_loop")],
      never: [{ content: "no" }],
    })
    const { rested } = await play(interpreter, chart, { models, services: { note } })
    expect(rested).toMatchObject({ status: "completed", state: { loop_exit_reason: "escalate" } })
    expect(asked.map(({ agent }) => agent)).toEqual(["judge"])
    expect(log).toEqual(["line", "rounds"])
  })

  test.each([
    ["LlmAgent", "beforeAgentCallback"],
    ["LlmAgent", "afterAgentCallback"],
    ["LlmAgent", "afterModelCallback"],
    ["SequentialAgent", "beforeAgentCallback"],
    ["SequentialAgent", "afterAgentCallback"],
  ])(
    "%s: an agent whose %s escalates still completes, and then the enclosing loop ends",
    async (kind, moment) => {
      const chart = chartOf({
        rootAgentId: "rounds",
        initialUserInput: "go",
        agents: [
          {
            type: "LoopAgent",
            id: "rounds",
            maxIterations: 9,
            subAgents: [{ agentId: "inner" }, { agentId: "never" }],
          },
          kind === "LlmAgent"
            ? llm("inner", { [moment]: "stop", outputKey: "story" })
            : {
                type: kind,
                id: "inner",
                [moment]: "stop",
                subAgents: [{ agentId: "writer" }],
                outputKey: "story",
              },
          ...(kind === "LlmAgent" ? [] : [llm("writer")]),
          llm("never"),
        ],
      })
      const stop: HostFunction = ({ actions }) => {
        actions.escalate = true
      }
      const answers = { ...script, inner: [{ content: "a draft" }] }
      const { asked, models } = scriptedModel(answers)
      const { rested } = await play(interpreter, chart, { models, services: { stop } })
      expect(rested).toMatchObject({
        status: "completed",
        state: { loop_exit_reason: "escalate", story: "a draft" },
      })
      expect(asked).toHaveLength(1)
      const skipping: HostFunction = ({ actions }) => {
        actions.escalate = true
        return { content: "skipped" }
      }
      if (moment !== "beforeAgentCallback") return
      const skipped = await play(interpreter, chart, {
        ...scriptedModel(answers),
        services: { stop: skipping },
      })
      expect(skipped.rested).toMatchObject({
        status: "completed",
        state: { loop_exit_reason: "escalate", story: "skipped" },
      })
    },
  )

  test("callbacks are called for the root, for branches, in bounded blocks and for handoff targets", async () => {
    const log: string[] = []
    const note: HostFunction = ({ agent, path }, input) =>
      void log.push(`${agent} ${(input as { hook: string }).hook} ${path}`)
    const both = { beforeAgentCallback: "note", afterAgentCallback: "note" }
    const line = (name: string) => ({
      agentClass: "SequentialAgent",
      name,
      ...both,
      subAgents: [{ name: `${name}_writer`, instruction: "Write." }],
    })
    const chart = chartOf(
      {
        agentClass: "SequentialAgent",
        name: "root",
        ...both,
        initialUserInput: "go",
        subAgents: [
          { agentClass: "ParallelAgent", name: "block", subAgents: [line("one"), line("two")] },
          {
            agentClass: "ParallelAgent",
            name: "bounded",
            maxConcurrency: 1,
            ...both,
            subAgents: [line("three"), line("four")],
          },
          { name: "front", model: "any", instruction: "Route.", subAgents: [line("five")] },
        ],
      },
      "any",
    )
    const { models } = scriptedModel({
      ...Object.fromEntries(
        ["one", "two", "three", "four", "five"].map((name) => [
          `${name}_writer`,
          [{ content: name }],
        ]),
      ),
      front: [calls("transfer_to_agent", { agent_name: "five" })],
    })
    const { controls, rested } = await play(interpreter, chart, { models, services: { note } })
    expect(rested).toMatchObject({ status: "completed", text: "five", error: null })
    const first = [...log]
    expect(first.map((entry) => entry.split(" ").slice(0, 2).join(" ")).sort()).toEqual(
      ["root", "one", "two", "bounded", "three", "four", "five"]
        .flatMap((agent) => [`${agent} afterAgent`, `${agent} beforeAgent`])
        .sort(),
    )
    expect([first[0], first.at(-1)]).toEqual([
      "root beforeAgent root/beforeAgent[0]",
      "root afterAgent root/afterAgent[0]",
    ])
    controls.say("Again.")
    expect(await controls.whenSettled()).toMatchObject({ status: "completed", error: null })
    expect(log.length).toBe(2 * first.length)
    expect(log.at(-1)).toBe("root afterAgent root@2/afterAgent[0]")
  })

  test("a callback that is configured with arguments receives them, for any kind of agent", async () => {
    const made = { name: "append", args: { to: "seen" } }
    const chart = chartOf({
      rootAgentId: "line",
      initialUserInput: "go",
      agents: [
        {
          type: "SequentialAgent",
          id: "line",
          beforeAgentCallback: [made],
          subAgents: [{ agentId: "writer" }],
        },
        llm("writer", {
          afterModelCallback: { name: "append", args: [{ name: "to", value: "heard" }] },
        }),
      ],
    })
    const append: HostFunction = ({ state, factory }) =>
      void state.set(String(factory?.["to"]), true)
    const { rested } = await play(interpreter, chart, {
      models: scriptedModel(script).models,
      services: { append },
    })
    expect(rested).toMatchObject({ status: "completed", state: { seen: true, heard: true } })
  })

  test("a host function that runs an agent can catch the error of a callback of this agent", async () => {
    const log: string[] = []
    const broken: HostFunction = () => {
      throw new Error("no paper")
    }
    const catching: HostFunction = async (context) => {
      await context.runAgent("line").catch((error: Error) => log.push(error.message))
    }
    const chart = chartOf({
      rootAgentId: "flow",
      initialUserInput: "go",
      agents: [
        { type: "CustomAgent", id: "flow", subAgents: [{ agentId: "line" }] },
        {
          type: "SequentialAgent",
          id: "line",
          beforeAgentCallback: "broken",
          subAgents: [{ agentId: "writer" }],
        },
        llm("writer"),
      ],
    })
    const { rested } = await play(interpreter, chart, {
      ...scriptedModel(script),
      services: { broken, flow: catching },
    })
    expect(rested.status).toBe("completed")
    expect(log).toEqual([expect.stringContaining("no paper")])
  })

  test("cancelling a run during a callback aborts the signal of the callback", async () => {
    let aborted = false
    const slow: HostFunction = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          aborted = true
          resolve(null)
        })
        begun.controls.cancel()
      })
    const begun = begin(interpreter, chartFor("SequentialAgent", { beforeAgentCallback: "slow" }), {
      ...scriptedModel(script),
      services: { slow, flow },
    })
    expect((await begun.controls.result).status).toBe("cancelled")
    expect(aborted).toBe(true)
  })
})

test("only a chart with callbacks has callback states, and drawings mark the agents with callbacks", () => {
  expect(JSON.stringify(chartFor("LoopAgent", {}))).not.toContain("callbacks")
  const chart = chartFor("LoopAgent", { beforeAgentCallback: "before" })
  expect(chart.services).toMatchObject({ before: { kind: "callback", usedBy: "inner" } })
  expect(drawMermaid(chart)).toContain("inner (with callbacks)")
})

test("a resumed run does not repeat callbacks that have returned", async () => {
  const journal = memoryJournal()
  const chart = chartFor("ParallelAgent", {
    beforeAgentCallback: "note",
    afterAgentCallback: "note",
  })
  const noting =
    (log: unknown[]): HostFunction =>
    (_, input) =>
      void log.push((input as { hook: string }).hook)
  const result = await createRunner({
    ...scriptedModel(script),
    services: { note: noting([]) },
    journal,
  })
    .start(chart, { runId: "r" })
    .whenSettled()
  const { header, records } = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  for (let length = 0; length <= records.length; length++) {
    const log: unknown[] = []
    const past = memoryJournal({ r: { header, records: records.slice(0, length) } })
    const resumed = await createRunner({
      ...scriptedModel(script),
      services: { note: noting(log) },
      journal: past,
    }).resume("r")
    expect(await resumed.whenSettled(), `resumed after ${length} records`).toEqual(result)
    const answered = records
      .slice(0, length)
      .filter(([, , value]) => JSON.stringify(value ?? null).includes('"type":"returned"')).length
    expect(log).toEqual(["beforeAgent", "afterAgent"].slice(answered))
  }
})
