import { expect, test } from "vitest"
import { compileOrThrow } from "../../../src/compiler/index.js"
import { compareEvaluations, readEvalSet } from "../../../src/evaluation/index.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { ModelRequest } from "../../../src/machines/contract/services.js"
import { createRunner, memoryJournal, rerunner } from "../../../src/runtime/index.js"
import type { Journal, Rerun, RerunOptions, StoredRun } from "../../../src/runtime/index.js"

/** A workflow of three agents, the last of which can be edited. */
const newsletter = (polish = "Polish."): AgentChart =>
  compileOrThrow({
    rootAgentId: "letter",
    agents: [
      {
        id: "letter",
        type: "SequentialAgent",
        subAgents: ["collect", "draft", "polish"].map((agentId) => ({ agentId })),
      },
      { id: "collect", type: "LlmAgent", model: "m", instructions: "Collect." },
      { id: "draft", type: "LlmAgent", model: "m", instructions: "Draft." },
      { id: "polish", type: "LlmAgent", model: "m", instructions: polish },
    ],
  })

/** A workflow that calls the newsletter between two agents of its own. */
const caller = (child = newsletter(), first = "Plan."): AgentChart =>
  compileOrThrow({
    rootAgentId: "flow",
    agents: [
      {
        id: "flow",
        type: "SequentialAgent",
        subAgents: ["plan", "news", "send"].map((agentId) => ({ agentId })),
      },
      { id: "plan", type: "LlmAgent", model: "m", instructions: first, outputKey: "plan" },
      { id: "news", type: "WorkflowAgent", workflow: child, prompt: "Write.", outputKey: "news" },
      { id: "send", type: "LlmAgent", model: "m", instructions: "Send {{state.news}}." },
    ],
  })

/** Services that record the agents whose model is called. Texts contain the instructions. */
function services() {
  const asked: string[] = []
  return {
    asked,
    calls: {
      models: {
        m: {
          call: async ({ agent, messages }: Pick<ModelRequest, "agent" | "messages">) => {
            asked.push(agent)
            return { content: `${agent}: ${JSON.stringify(messages[0])}` }
          },
        },
      },
    },
  }
}

async function recorded(): Promise<{ readonly stored: StoredRun; readonly journal: Journal }> {
  const journal = memoryJournal()
  const run = createRunner({ ...services().calls, journal }).start(caller(), { runId: "r1" })
  expect(await run.result).toMatchObject({ status: "completed" })
  return { stored: (await journal.load("r1")) as StoredRun, journal }
}

async function rerun(chart: AgentChart, withChildren: boolean, options: RerunOptions = {}) {
  const { stored, journal } = await recorded()
  const { asked, calls } = services()
  const load = (runId: string) => journal.load(runId)
  const result: Rerun = await rerunner(chart)(stored, {
    services: calls,
    ...(withChildren && { load }),
    ...options,
  })
  return { asked, result }
}

test("an unchanged workflow with a child run makes no call", async () => {
  const { asked, result } = await rerun(caller(), true)
  expect(asked).toEqual([])
  expect(result).toMatchObject({
    after: { status: "completed" },
    firstDivergence: null,
    calls: { made: { models: 0, tools: 0 }, reused: { models: 2, tools: 1 } },
  })
})

test("a changed child run only makes the calls after its first difference", async () => {
  const { asked, result } = await rerun(caller(newsletter("Shorten.")), true)
  expect(asked).toEqual(["polish", "send"])
  expect(result).toMatchObject({
    after: { status: "completed" },
    firstDivergence: { kind: "tool", differs: ["fingerprint"] },
    calls: { made: { models: 2, tools: 0 }, reused: { models: 3, tools: 0 } },
    calledTools: [],
  })
  expect(result.after.state["news"]).toContain("Shorten.")
})

test("without recorded child runs, all calls of a changed child run are made", async () => {
  const { asked } = await rerun(caller(newsletter("Shorten.")), false)
  expect(asked).toEqual(["collect", "draft", "polish", "send"])
})

test("offline, a changed child run stops at its first call without a recorded result", async () => {
  const { asked, result } = await rerun(caller(newsletter("Shorten.")), true, { offline: true })
  expect(asked).toEqual([])
  expect(result.unanswered.map(({ key }) => key)).toEqual(["flow/news#0/letter/polish#0"])
  expect(result).toMatchObject({
    after: { status: "running" },
    calls: { made: { models: 0, tools: 0 }, reused: { models: 3 } },
  })
})

test("a change before a child run does not repeat the child run", async () => {
  const { asked } = await rerun(caller(newsletter(), "Plan well."), true)
  expect(asked).toEqual(["plan", "send"])
})

test("a changed child run receives the recorded answers of people", async () => {
  const review = (prompt: string): AgentChart =>
    compileOrThrow({
      rootAgentId: "review",
      agents: [
        {
          id: "review",
          type: "SequentialAgent",
          subAgents: [{ agentId: "boss" }, { agentId: "clerk" }],
        },
        { id: "boss", type: "HumanAgent", prompt: "Approve?", outputKey: "decision" },
        { id: "clerk", type: "LlmAgent", model: "m", instructions: prompt },
      ],
    })
  const journal = memoryJournal()
  const run = createRunner({ ...services().calls, journal }).start(caller(review("File.")), {
    runId: "r1",
  })
  await expect.poll(() => run.pending().length).toBe(1)
  run.answer(run.pending()[0]?.id ?? "", "yes")
  await run.result
  const stored = (await journal.load("r1")) as StoredRun
  const { asked, calls } = services()
  const load = (runId: string) => journal.load(runId)
  const rerun = rerunner(caller(review("File it well.")))
  const result = await rerun(stored, { services: calls, load })
  expect(result).toMatchObject({
    after: { status: "completed" },
    answers: { reused: 1, unused: 0 },
  })
  expect(asked).toEqual(["clerk", "send"])
  // Without the answer, the child run waits, and the run is idle.
  const unanswered = { ...stored, records: stored.records.slice(0, 2) }
  const idle = await rerun(unanswered, { services: services().calls, load: () => null })
  expect(idle.after.status).toBe("waiting")
  expect(idle.pending).toHaveLength(1)
})

test("a comparison of two workflows executes a changed child run again", async () => {
  const { set } = readEvalSet(
    JSON.stringify({
      eval_set_id: "news",
      eval_cases: [
        { eval_id: "one", conversation: [{ user_content: { parts: [{ text: "Go" }] } }] },
      ],
    }),
    { file: "news.evalset.json" },
  )
  if (set === null) throw new Error("the eval set has problems")
  const { asked, calls } = services()
  const compare = async (edited: AgentChart) => {
    asked.length = 0
    const report = await compareEvaluations(caller(), edited, { sets: [set], services: calls })
    return [asked.slice(5), report.summary.calls.made]
  }
  expect(await compare(caller())).toEqual([[], { models: 0, tools: 0 }])
  expect(await compare(caller(newsletter("Shorten.")))).toEqual([
    ["polish", "send"],
    { models: 2, tools: 0 },
  ])
})
