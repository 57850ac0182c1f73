import { expect, test } from "vitest"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { EvaluationReport, EvaluationServices } from "../../src/evaluation/index.js"
import { evaluate, formatReport, readEvalSet } from "../../src/evaluation/index.js"

const chart = compileOrThrow({ name: "talker", model: "small", instruction: "Answer." })
const cases = 60

const set = readEvalSet(
  JSON.stringify({
    eval_cases: Array.from({ length: cases }, (_, index) => ({
      eval_id: `case-${index}`,
      conversation: [
        {
          user_content: { parts: [{ text: "Question" }] },
          final_response: { parts: [{ text: `answer ${index}` }] },
        },
      ],
    })),
  }),
  { file: "many.json" },
).set

/** Evaluates all cases. The later a case is, the earlier it ends. */
async function evaluateAll(
  concurrency: number,
  more: { readonly signal?: AbortSignal; readonly onOpen?: (open: number) => void } = {},
): Promise<EvaluationReport> {
  if (set === null) throw new Error("the set is valid")
  const { onOpen = () => {}, ...options } = more
  let open = 0
  return evaluate(chart, {
    sets: [set],
    concurrency,
    ...options,
    services: async (evalId): Promise<EvaluationServices> => {
      onOpen(++open)
      const index = Number(evalId.slice("case-".length))
      return {
        models: {
          small: {
            async call() {
              for (let turn = index; turn < cases; turn++) await Promise.resolve()
              return { content: `answer ${index % 2 === 0 ? index : "none"}` }
            },
          },
        },
        close: async () => void onOpen(--open),
      }
    },
  })
}

test("the report is the same at every concurrency, and services are closed", async () => {
  const seen: number[] = []
  const [one, many] = [
    await evaluateAll(1),
    await evaluateAll(8, { onOpen: (open) => seen.push(open) }),
  ]
  const comparable = ({ sets, summary }: EvaluationReport): unknown => ({
    summary,
    sets: sets.map(({ cases: results }) =>
      Object.entries(results).map(([id, { status, criteria }]) => [id, status, criteria]),
    ),
  })
  expect(comparable(many)).toEqual(comparable(one))
  expect(many.summary).toEqual({ cases, passed: 30, failed: 30, notEvaluated: 0 })
  expect(Math.max(...seen)).toBe(8)
  expect(seen.at(-1)).toBe(0)
})

test("a WaitAgent does not wait in an evaluation", async () => {
  const { set: one } = readEvalSet(
    JSON.stringify({
      eval_cases: [
        {
          eval_id: "wait",
          conversation: [
            {
              user_content: { parts: [{ text: "Question" }] },
              final_response: { parts: [{ text: "later" }] },
            },
          ],
        },
      ],
    }),
    { file: "wait.json" },
  )
  if (one === null) throw new Error("the set is valid")
  const waiting = compileOrThrow({
    name: "all",
    agent_class: "SequentialAgent",
    sub_agents: [
      { name: "pause", agent_class: "WaitAgent", duration: "100d" },
      { name: "talker", model: "small" },
    ],
  })
  const services = { models: { small: { call: async () => ({ content: "later" }) } } }
  const { summary } = await evaluate(waiting, { sets: [one], services })
  expect(summary).toMatchObject({ cases: 1, passed: 1 })
})

test("a stopped evaluation reports only the finished cases", async () => {
  const stop = new AbortController()
  let ended = 0
  const report = await evaluateAll(2, {
    signal: stop.signal,
    onOpen: (open) => {
      if (open === 1 && ++ended === 10) stop.abort()
    },
  })
  const finished = Object.keys(report.sets[0]?.cases ?? {})
  expect(finished.length).toBe(report.summary.cases)
  expect(finished.length).toBeLessThan(20)
  expect(finished[0]).toBe("case-0")
})

test("a Markdown report has at most 60,000 characters and counts the omitted cases", async () => {
  const report = await evaluateAll(4)
  const [first] = report.sets
  const [result] = Object.values(first?.cases ?? {})
  if (first === undefined || result === undefined) throw new Error("the report has cases")
  const failed = {
    ...result,
    status: "FAILED" as const,
    criteria: {
      response_match_score: {
        score: 0,
        threshold: 1,
        status: "FAILED" as const,
        details: ["x".repeat(300)],
      },
    },
  }
  const names = Array.from({ length: 5000 }, (_, index) => [`case-${index}`, failed] as const)
  const text = formatReport(
    { ...report, sets: [{ ...first, cases: Object.fromEntries(names) }] },
    "markdown",
  )
  expect(text.length).toBeLessThanOrEqual(60_000)
  const [, omitted = ""] = /^(\d+) further cases are not listed\.$/m.exec(text) ?? []
  const listed = text.split("\n").filter((line) => line.startsWith("| ✗ |")).length
  expect(listed + Number(omitted)).toBe(5000)
})

test("a rejected state fails its own case, and the other cases are evaluated", async () => {
  let deep: unknown = 1
  for (let level = 0; level < 1000; level++) deep = [deep]
  const conversation = [
    {
      user_content: { parts: [{ text: "Question" }] },
      final_response: { parts: [{ text: "blue" }] },
    },
  ]
  const { set: two } = readEvalSet(
    JSON.stringify({
      eval_cases: [
        { eval_id: "deep", session_input: { state: { deep } }, conversation },
        { eval_id: "fine", conversation },
      ],
    }),
    { file: "two.json" },
  )
  if (two === null) throw new Error("the set is valid")
  const report = await evaluate(chart, {
    sets: [two],
    services: { models: { small: { call: async () => ({ content: "blue" }) } } },
  })
  expect(report.sets[0]?.cases).toMatchObject({
    deep: { status: "FAILED", error: "input_refused", errorMessage: expect.any(String) },
    fine: { status: "PASSED" },
  })
})

test("an answer without a pending request causes a warning", async () => {
  const answered = (model: () => Promise<unknown>): Promise<EvaluationReport> => {
    const { set: one } = readEvalSet(
      JSON.stringify({
        eval_cases: [
          {
            eval_id: "one",
            conversation: [
              {
                user_content: { parts: [{ text: "Question" }] },
                final_response: { parts: [{ text: "blue" }] },
              },
            ],
            x_agent_statecharts: { answers: [[{ approve: true }], [{ answer: "yes" }]] },
          },
        ],
      }),
      { file: "one.json" },
    )
    if (one === null) throw new Error("the set is valid")
    return evaluate(chart, { sets: [one], services: { models: { small: { call: model } } } })
  }
  const { warnings } = await answered(async () => ({ content: "blue" }))
  expect(warnings.map(({ code }) => code)).toEqual(["answer_unused", "answer_unused"])
  const failed = await answered(async () => {
    throw new CallFailedError({ code: "model_call_failed", message: "HTTP 400", retryable: false })
  })
  expect(failed.warnings).toEqual([])
  expect(failed.sets[0]?.cases["one"]?.error).toBe("model_call_failed")
})
