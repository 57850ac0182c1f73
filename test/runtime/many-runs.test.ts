import { expect, test } from "vitest"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { ModelRequest } from "../../src/machines/contract/services.js"
import { chartOf, llm, parallel, sequence } from "../support/workflow.js"

const chart = chartOf([
  sequence("main", ["plan", "fan", "end"]),
  llm("plan"),
  parallel("fan", ["left", "right"]),
  llm("left"),
  llm("right"),
  llm("end"),
])

/** Responds with the prompt and the state of the run, so that mixed-up runs are detected. */
const echo = {
  async call({ agent, messages, state }: ModelRequest): Promise<unknown> {
    await new Promise((resolve) => setImmediate(resolve))
    const prompt = messages.find(({ role }) => role === "user")?.content
    const seen =
      agent === "end"
        ? ` after ${String(state["left_text"])} and ${String(state["right_text"])}`
        : ""
    return { content: `${agent} of ${String(prompt)}${seen}` }
  },
}

const runAll = async (runner: ReturnType<typeof createRunner>, count: number): Promise<void> => {
  const results = await Promise.all(
    Array.from(
      { length: count },
      (_, index) => runner.start(chart, { prompt: `run ${index}`, runId: `${index}` }).result,
    ),
  )
  for (const [index, { status, state, runId }] of results.entries()) {
    const of = `of run ${index}`
    expect({ status, state, runId }).toEqual({
      status: "completed",
      runId: `${index}`,
      state: {
        _user_message_count: 1,
        orchestration_cycle_count: 1,
        plan_text: `plan ${of}`,
        left_text: `left ${of}`,
        right_text: `right ${of}`,
        end_text: `end ${of} after left ${of} and right ${of}`,
      },
    })
  }
}

test("1,000 concurrent runs in one process each end with their own state, and their memory is freed", async () => {
  // Without a journal, the runner keeps nothing of an ended run, so run ids can be used again.
  const runner = createRunner({ http: { model: echo, tool: { call: async () => null } } })
  const collect = async (): Promise<number> => {
    for (let round = 0; round < 5; round++) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return process.memoryUsage().heapUsed
  }
  await runAll(runner, 1_000)
  const before = await collect()
  await runAll(runner, 1_000)
  const after = await collect()
  expect(globalThis.gc, "vitest has to run with --expose-gc").toBeTypeOf("function")
  expect(after / before).toBeLessThan(1.1)
})
