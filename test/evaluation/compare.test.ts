import { expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/index.js"
import {
  compareEvaluations,
  compareWithBaseline,
  evaluate,
  evalSetFromRuns,
  formatReport,
  readEvalConfig,
  readEvalSet,
} from "../../src/evaluation/index.js"
import type { EvalConfig, EvalSet, EvaluationServices } from "../../src/evaluation/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { memoryJournal } from "../../src/runtime/index.js"

const press = (edit = "Edit"): AgentChart =>
  compileOrThrow({
    agent_class: "SequentialAgent",
    name: "press",
    sub_agents: [
      { name: "writer", model: "small", instruction: "Write a line.", output_key: "draft" },
      { name: "editor", model: "small", instruction: `${edit} {draft}`, output_key: "final" },
    ],
  })

const evalSet = (ids: readonly string[]): EvalSet => {
  const text = JSON.stringify({
    eval_set_id: "press",
    eval_cases: ids.map((id) => ({
      eval_id: id,
      conversation: [
        {
          user_content: { role: "user", parts: [{ text: id }] },
          final_response: { role: "model", parts: [{ text: `${id} is old` }] },
        },
      ],
    })),
  })
  const { set, problems } = readEvalSet(text, { file: "press.evalset.json" })
  if (set === null) throw new Error(JSON.stringify(problems))
  return set
}

const configOf = (criteria: object): EvalConfig => {
  const { config, problems } = readEvalConfig(JSON.stringify({ criteria }), { file: "config" })
  if (config === null) throw new Error(JSON.stringify(problems))
  return config
}

const config = configOf({ response_match_score: 0.9 })

/** Returns services whose editor returns a text that depends on the user's text and on the number of the call. */
function services(editor: (text: string, call: number) => string) {
  const calls: string[] = []
  let edited = 0
  const made: EvaluationServices = {
    models: {
      small: {
        call: async ({ agent, messages, runId, idempotencyKey }) => {
          calls.push(`${agent} ${idempotencyKey.startsWith(`${runId}/`)}`)
          const first = messages.find(({ role }) => role === "user")?.content
          const text = typeof first === "string" ? first : ""
          return {
            content: agent === "writer" ? `${text}!` : editor(text, edited++),
            usage: { inputTokens: 10, outputTokens: 2 },
          }
        },
      },
    },
  }
  return { calls, services: made }
}

test("an edited agent is called once for each case and repetition", async () => {
  const a = services((text) => `${text} is old`)
  const b = services((text) => (text === "tea" ? "No idea" : `${text} is old`))
  const report = await compareEvaluations(press(), press("Shorten"), {
    sets: [evalSet(["tea", "ink"])],
    config,
    services: a.services,
    servicesB: b.services,
    repeat: 3,
  })
  expect(b.calls).toEqual(Array.from({ length: 6 }, () => "editor false"))
  expect(report).toMatchObject({
    exitCode: 1,
    summary: {
      improved: 0,
      regressed: 1,
      unchanged: 1,
      criteria: { response_match_score: { delta: -0.5 } },
      calls: { made: { models: 6, tools: 0 }, reused: { models: 6, tools: 0 } },
    },
    calls: { models: 12 + 6, tokens: 12 * 12 + 6 * 12 },
  })
  const { tea, ink } = report.sets[0]?.cases ?? {}
  expect(tea).toMatchObject({
    changed: { status: true, text: true, state: ["final"], tokens: { a: 72, b: 72 } },
    criteria: { response_match_score: { delta: -1, interval: [-1, -1] } },
    firstDivergence: { kind: "model", key: "press/editor#0", differs: ["messages"] },
  })
  expect(ink).toMatchObject({ changed: { status: false, text: false, state: [] } })
})

test("a workflow that is compared with itself makes no call for B", async () => {
  const a = services((text) => `${text} is old`)
  const b = services(() => "never called")
  const report = await compareEvaluations(press(), press(), {
    sets: [evalSet(["tea", "ink"])],
    config,
    services: a.services,
    servicesB: b.services,
  })
  expect(b.calls).toEqual([])
  expect(report.exitCode).toBe(0)
  for (const compared of Object.values(report.sets[0]?.cases ?? {})) {
    expect(compared.firstDivergence).toBeNull()
    expect(compared.b.criteria).toEqual(compared.a.criteria)
  }
})

test("a journal stores the runs of both workflows", async () => {
  const journal = memoryJournal()
  const { services: both } = services((text) => `${text} is old`)
  await compareEvaluations(press(), press("Shorten"), {
    sets: [evalSet(["tea"])],
    config,
    services: both,
    journal,
  })
  const runs = journal.list()
  expect(runs.map(({ status }) => status)).toEqual(["completed", "completed"])
  expect(runs[1]?.runId).toBe(`${runs[0]?.runId}~b`)
})

test("a criterion that names an unknown agent is an error", async () => {
  await expect(
    compareEvaluations(press(), press("Shorten"), {
      sets: [evalSet(["tea"])],
      config: configOf({ statechart_path_v1: { visited: ["agent:nobody"] } }),
      services: {},
    }),
  ).rejects.toMatchObject({ code: "evaluation_invalid" })
})

test("the cases of a baseline are compared one by one, and added and removed cases are listed", async () => {
  const run = (ids: readonly string[], editor: (text: string) => string) =>
    evaluate(press(), {
      sets: [evalSet(ids)],
      config,
      services: services(editor).services,
      repeat: 2,
    })
  const before = await run(["tea", "ink"], () => "No idea")
  const now = await run(["tea", "oil"], (text) => `${text} is old`)
  const report = compareWithBaseline(JSON.parse(JSON.stringify(before)), now)
  expect(report).toMatchObject({
    exitCode: 0,
    summary: {
      improved: 1,
      regressed: 0,
      unchanged: 0,
      criteria: { response_match_score: { delta: 1, interval: null } },
    },
    sets: [{ added: ["oil"], removed: ["ink"] }],
  })
  const { tea } = report.sets[0]?.cases ?? {}
  expect(tea).toMatchObject({ criteria: { response_match_score: { interval: [1, 1] } } })
  expect(tea).not.toHaveProperty("firstDivergence")
  expect(compareWithBaseline(now, before)).toMatchObject({ exitCode: 1, summary: { regressed: 1 } })
})

test("reports of a comparison escape the texts of runs and files", async () => {
  const hostile = "x | `y` @team <img> ]]> https://evil.test \u001b[31m"
  const { services: a } = services((text) => `${text} is old`)
  const { services: b } = services(() => "No idea")
  const report = await compareEvaluations(press(), press("Shorten"), {
    sets: [evalSet([hostile])],
    config,
    services: a,
    servicesB: b,
  })
  const markdown = formatReport(report, "markdown")
  for (const markup of ["<img>", "@team", "https://", "\u001b"])
    expect(markdown).not.toContain(markup)
  expect(markdown).toContain("x \\| \\`y\\`")
  expect(markdown.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(3)
  const junit = formatReport(report, "junit")
  expect(junit).toContain('failures="1"')
  for (const markup of ["]]>", "\u001b", "<img>"]) expect(junit).not.toContain(markup)
  expect(formatReport(report, "table")).toContain("response 1.00 → 0.00 (-1.00)")
})

test("an eval set that was created from runs passes with the same responses", async () => {
  const journal = memoryJournal()
  const { services: own } = services((text) => `${text} is old`)
  const set = evalSet(["tea", "ink"])
  await evaluate(press(), { sets: [set], config, services: own, journal })
  const { evalSet: recorded, leftOut } = evalSetFromRuns(Object.values(journal.toJSON()), {
    name: "recorded",
  })
  expect(leftOut).toEqual([])
  const read = readEvalSet(JSON.stringify(recorded), { file: "recorded.evalset.json" })
  expect(read.problems).toEqual([])
  const report = await evaluate(press(), {
    sets: read.set === null ? [] : [read.set],
    config: configOf({ tool_trajectory_avg_score: 1, response_match_score: 1 }),
    services: services((text) => `${text} is old`).services,
  })
  expect(report.summary).toMatchObject({ cases: 2, passed: 2 })
})
