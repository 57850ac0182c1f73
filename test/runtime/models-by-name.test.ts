import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelRequest, ModelService } from "../../src/machines/contract/services.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { interpreters, calls, play } from "../support/in-both-interpreters.js"

const chartOf = (config: object): AgentChart => {
  const { chart, diagnostics } = compile(config, { dialect: "graph-compose" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const single = (fields: object = {}, more: object = {}): AgentChart =>
  chartOf({
    agents: [{ type: "LlmAgent", id: "writer", model: "any", ...fields }],
    rootAgentId: "writer",
    ...more,
  })

/** A model that records its requests and returns its answers in order, the last one repeatedly. */
function recordingModel(answers: readonly object[], signals?: boolean) {
  const requests: ModelRequest[] = []
  const any: ModelService = {
    ...(signals !== undefined && { signals }),
    call: async (request) => {
      requests.push(request)
      return answers[Math.min(requests.length, answers.length) - 1]
    },
  }
  const systems = (): readonly unknown[] =>
    requests.map(({ messages: [first] }) => (first?.role === "system" ? first.content : null))
  return { requests, systems, models: { any } }
}

const text = { content: "A poem." }

describe.each(interpreters)("the end of a root agent with a model by name (%s)", (interpreter) => {
  test("a workflow that consists of one agent with a model makes one call", async () => {
    const { requests, models } = recordingModel([text])
    const { rested, events } = await play(
      interpreter,
      single({ instructions: "Write a poem." }, { initialUserInput: "About rain." }),
      { models },
    )
    expect(rested).toMatchObject({ status: "completed", text: "A poem." })
    expect(requests).toHaveLength(1)
    expect(events.filter(({ type }) => type === "agent.finished")).toMatchObject([
      { outcome: "exited", text: "A poem." },
    ])
  })

  test("an agent without a model in the config uses the default model and makes one call", async () => {
    const { requests, models } = recordingModel([text])
    const chart = single()
    const writer = chart.agents["writer"]
    if (writer?.type !== "LlmAgent") throw new Error("the chart has no writer")
    const { rested } = await play(
      interpreter,
      { ...chart, agents: { writer: { ...writer, model: null } } },
      { models, defaultModel: "any" },
    )
    expect(rested.status).toBe("completed")
    expect(requests).toHaveLength(1)
  })

  test("a service that declares signals runs in cycles until it sends exitFlow", async () => {
    const { requests, models } = recordingModel(
      [{ content: "One." }, { content: "Two.", exitFlow: true }],
      true,
    )
    const { rested } = await play(interpreter, single({ outputKey: "poem" }), { models })
    expect(rested).toMatchObject({ status: "completed", text: "Two.", state: { poem: "Two." } })
    expect(requests).toHaveLength(2)
  })

  test("a service that declares signals and never exits reaches the cycle limit", async () => {
    const { requests, models } = recordingModel([text], true)
    const { rested } = await play(interpreter, single({}, { maxOrchestrationCycles: 3 }), {
      models,
    })
    expect(rested.status).toBe("limit")
    expect(requests).toHaveLength(3)
  })

  test("a service that declares signals: false ends with its first final response", async () => {
    const { requests, models } = recordingModel([text], false)
    await play(interpreter, single(), { models })
    expect(requests).toHaveLength(1)
  })

  test("tool calls do not end the run, and the text after them does", async () => {
    const { requests, models } = recordingModel([calls("look_up"), text])
    const chart = single(
      { tools: ["look_up"] },
      {
        globalTools: [
          {
            type: "HttpTool",
            id: "look_up",
            httpConfig: { url: "https://tools.test", method: "POST" },
          },
        ],
      },
    )
    const { rested } = await play(interpreter, chart, {
      models,
      tools: { look_up: { call: async () => ({ found: 1 }) } },
    })
    expect(rested).toMatchObject({ status: "completed", text: "A poem." })
    expect(requests).toHaveLength(2)
  })

  test("waitForUserInput pauses the run, even without declared signals", async () => {
    const { requests, models } = recordingModel([
      { content: "About what?", waitForUserInput: true },
      text,
    ])
    const { controls, rested } = await play(interpreter, single(), { models })
    expect(rested.status).toBe("waiting")
    controls.say("Rain.")
    expect(await controls.whenSettled()).toMatchObject({ status: "completed", text: "A poem." })
    expect(requests).toHaveLength(2)
  })

  test("a handoff target of the root ends the run with its final response", async () => {
    const { requests, models } = recordingModel([
      calls("transfer_to_agent", { agent_name: "poet" }),
      text,
    ])
    const chart = single({ subAgents: [{ type: "LlmAgent", id: "poet", model: "any" }] })
    const { rested } = await play(interpreter, chart, { models })
    expect(rested).toMatchObject({ status: "completed", text: "A poem." })
    expect(requests.map(({ agent }) => agent)).toEqual(["writer", "poet"])
  })

  test("an agent in a sequence does not end the workflow", async () => {
    const { requests, models } = recordingModel([text])
    const chart = chartOf({
      agents: [
        { type: "SequentialAgent", id: "pair", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
        { type: "LlmAgent", id: "a", model: "any", outputKey: "draft" },
        { type: "LlmAgent", id: "b", model: "any" },
      ],
      rootAgentId: "pair",
    })
    const { events } = await play(interpreter, chart, { models })
    expect(requests.map(({ agent }) => agent)).toEqual(["a", "b"])
    expect(events.filter(({ type }) => type === "warning")).toEqual([])
  })

  test("a root agent with an httpConfig runs in cycles", async () => {
    const { requests, models } = recordingModel([text])
    const chart = single(
      { model: undefined, httpConfig: { url: "https://llm.test", method: "POST" } },
      { maxOrchestrationCycles: 2 },
    )
    const tool = { call: async () => null }
    const { rested } = await play(interpreter, chart, { http: { model: models.any, tool } })
    expect(rested.status).toBe("limit")
    expect(requests).toHaveLength(2)
  })
})

describe.each(interpreters)("the state in the prompt of a model by name (%s)", (interpreter) => {
  const state = { topic: "rain", facts: { wet: true }, none: null }

  test("fills the placeholders of the instructions", async () => {
    const { systems, models } = recordingModel([text])
    await play(
      interpreter,
      single({ instructions: "On {topic}: {{facts}}{none}{missing?} {not a key}." }, { state }),
      { models },
    )
    expect(systems()).toEqual(['On rain: {"wet":true} {not a key}.'])
  })

  test("appends the state as JSON if the instructions have no placeholder", async () => {
    const { systems, models } = recordingModel([text])
    await play(interpreter, single({ instructions: "Write." }, { state }), { models })
    expect(systems()).toEqual([
      'Write.\n\nThe session state as JSON:\n{"facts":{"wet":true},"none":null,"topic":"rain"}',
    ])
  })

  test("is not sent to an agent without instructions, and an empty state adds nothing", async () => {
    const { systems, models } = recordingModel([text])
    await play(interpreter, single({}, { state: { topic: "rain" } }), { models })
    await play(interpreter, single({ instructions: "Write." }), { models })
    expect(systems()).toEqual([null, "Write."])
  })

  test("is not sent with stateInPrompt: false", async () => {
    const { systems, models } = recordingModel([text])
    const instructions = "On {topic}."
    await play(interpreter, single({ instructions, stateInPrompt: false }, { state }), { models })
    expect(systems()).toEqual(["On {topic}."])
  })

  test("contains the work of earlier agents", async () => {
    const { systems, models } = recordingModel([text])
    const chart = chartOf({
      agents: [
        { type: "SequentialAgent", id: "pair", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
        { type: "LlmAgent", id: "a", model: "any", outputKey: "draft" },
        { type: "LlmAgent", id: "b", model: "any", instructions: "Improve." },
      ],
      rootAgentId: "pair",
    })
    await play(interpreter, chart, { models })
    expect(systems()).toEqual([null, 'Improve.\n\nThe session state as JSON:\n{"draft":"A poem."}'])
  })

  test("omits the largest keys of a large state, and the run emits a warning", async () => {
    const { systems, models } = recordingModel([text])
    const large = { book: "x".repeat(20_000), notes: "y".repeat(15_000), topic: "rain" }
    const { events } = await play(
      interpreter,
      single({ instructions: "Write." }, { state: large }),
      {
        models,
      },
    )
    expect(systems()).toEqual([
      `Write.\n\nThe session state as JSON:\n{"notes":"${large.notes}","topic":"rain"}`,
    ])
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      { agent: "writer", message: expect.stringContaining('"book" is left out') },
    ])
  })

  test("the run fails if a placeholder has no value", async () => {
    const { requests, models } = recordingModel([text])
    const { rested } = await play(interpreter, single({ instructions: "On {topik}." }, { state }), {
      models,
    })
    expect(rested).toMatchObject({
      status: "failed",
      error: { code: "instruction_failed", message: expect.stringContaining("{topik?}") },
    })
    expect(requests).toEqual([])
  })
})

describe("a journal of a run with a model by name", () => {
  const chart = single({ outputKey: "poem" }, { maxOrchestrationCycles: 3 })

  /** Executes a run, keeps its first records and resumes it with another service. */
  async function resume(recorded: boolean, keep: number) {
    const journal = memoryJournal()
    const first = recordingModel([text], recorded)
    const before = createRunner({ models: first.models, journal })
    await before.start(chart, { runId: "r" }).result
    await before.close()
    const { header, records } = (await journal.load("r")) as StoredRun
    const second = recordingModel([text], !recorded)
    const half = memoryJournal({ r: { header, records: records.slice(0, keep) } })
    const run = await createRunner({ models: second.models, journal: half }).resume("r")
    return { first, second, result: await run.result }
  }

  test("contains whether the service declared signals, so a resumed run ends in the same way", async () => {
    const { first, second, result } = await resume(false, 1)
    expect(result).toMatchObject({ status: "completed", text: "A poem." })
    expect(first.requests).toHaveLength(1)
    expect(second.requests).toEqual([])
  })

  test("a resumed run continues the cycles if the recorded service declared signals", async () => {
    const { first, second, result } = await resume(true, 1)
    expect(first.requests).toHaveLength(3)
    // The second response comes from the other service, which declares no signals.
    expect(second.requests).toHaveLength(1)
    expect(result).toMatchObject({ status: "completed", state: { poem: "A poem." } })
  })

  test("a resumed run restores the state in the prompt from the recorded responses", async () => {
    const pair = chartOf({
      agents: [
        { type: "SequentialAgent", id: "pair", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
        { type: "LlmAgent", id: "a", model: "any", outputKey: "draft" },
        { type: "LlmAgent", id: "b", model: "any", instructions: "Improve {draft}" },
      ],
      rootAgentId: "pair",
    })
    const journal = memoryJournal()
    const first = recordingModel([text])
    await createRunner({ models: first.models, journal }).start(pair, { runId: "r" }).result
    const { header, records } = (await journal.load("r")) as StoredRun
    const second = recordingModel([text])
    const half = memoryJournal({ r: { header, records: records.slice(0, 1) } })
    const run = await createRunner({ models: second.models, journal: half }).resume("r")
    expect(await run.result).toMatchObject({ status: "completed" })
    expect(second.systems()).toEqual(["Improve A poem."])
  })
})
