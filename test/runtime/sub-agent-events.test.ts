import { describe, expect, test } from "vitest"
import type { AgentOutcome, HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import {
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

const chart = chartOf({
  rootAgentId: "flow",
  initialUserInput: "go",
  agents: [
    { type: "CustomAgent", id: "flow", subAgents: [{ agentId: "line" }, { agentId: "rounds" }] },
    {
      type: "SequentialAgent",
      id: "line",
      subAgents: [{ agentId: "writer" }, { agentId: "critic" }],
    },
    llm("writer", { tools: ["count"] }),
    llm("critic"),
    { type: "LoopAgent", id: "rounds", maxIterations: 5, subAgents: [{ agentId: "judge" }] },
    llm("judge", { tools: ["exit_loop"] }),
  ],
  globalTools: [{ type: "FunctionTool", id: "count" }],
})

const script = {
  writer: [calls("count"), { content: "A story." }],
  critic: [{ content: "Good." }],
  judge: [calls("exit_loop")],
}

const lineEvents = [
  {
    author: "writer",
    message: {
      role: "assistant",
      content: [{ function_call: { id: "1", name: "count", args: {} } }],
    },
  },
  {
    author: "writer",
    message: {
      role: "tool",
      content: [{ function_response: { id: "1", name: "count", response: { words: 2 } } }],
    },
  },
  { author: "writer", message: { role: "assistant", content: "A story." } },
  { author: "critic", message: { role: "assistant", content: "Good." } },
]

/** Runs the line, then the loop, then the line again, and keeps the result of each. */
const flow =
  (seen: AgentOutcome[]): HostFunction =>
  async (context) => {
    for (const name of ["line", "rounds", "line"]) {
      seen.push(await context.runAgent(name))
      await context.step("look", () => null)
    }
  }

const count: HostFunction = () => ({ words: 2 })

describe.each(interpreters)("the result of context.runAgent (%s)", (interpreter) => {
  test("runAgent returns the text, all messages with their authors, and whether the agent escalated", async () => {
    const seen: AgentOutcome[] = []
    const { rested } = await play(interpreter, chart, {
      ...scriptedModel(script),
      services: { flow: flow(seen), count },
    })
    expect(rested).toMatchObject({ status: "completed", error: null })
    expect(seen[0]).toEqual({ text: "Good.", events: lineEvents, escalated: false })
    expect(seen[1]).toMatchObject({
      escalated: true,
      events: [{ author: "judge" }, { author: "judge", message: { role: "tool" } }],
    })
    expect(seen[2]).toMatchObject({
      text: "Good.",
      escalated: false,
      events: [{ author: "writer" }, { author: "critic" }],
    })
  })

  test("a host function that changes the returned events does not change the history of the run", async () => {
    const { asked, models } = scriptedModel(script)
    const careless: HostFunction = async (context) => {
      const { events } = await context.runAgent("line")
      for (const event of events) Object.assign(event, { author: "nobody" })
      await context.runAgent("line")
    }
    await play(interpreter, chart, { models, services: { flow: careless, count } })
    expect(JSON.stringify(asked.at(-1)?.messages)).toContain("[writer] said: A story.")
  })
})

test("runAgent returns the same results after a restart", async () => {
  const journal = memoryJournal()
  const before: AgentOutcome[] = []
  const run = createRunner({
    ...scriptedModel(script),
    services: { flow: flow(before), count },
    journal,
  }).start(chart, { runId: "r" })
  await run.whenSettled()
  const { header, records } = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  const after: AgentOutcome[] = []
  const { models } = scriptedModel({ ...script, critic: [{ content: "Good." }] })
  const shortened = { header, records: records.slice(0, -1) }
  const resumed = await createRunner({
    models,
    services: { flow: flow(after), count },
    journal: memoryJournal({ r: shortened }),
  }).resume("r")
  await resumed.whenSettled()
  expect(after).toEqual(before)
})
