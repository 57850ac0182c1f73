import { expect, test } from "vitest"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, loop } from "../support/workflow.js"

test("a loop that skips all of its agents ends with an error that names its machine instead of hanging", async () => {
  const chart = chartOf([
    loop("rounds", [{ agentId: "writer", when: "session_state.get('go', 0) == 1" }], 1_000_000),
    llm("writer"),
  ])
  const { status, error } = await createRunner(scriptedServices({})).start(chart).result
  expect(status).toBe("limit")
  expect(error).toMatchObject({
    code: "limit_reached",
    message: expect.stringContaining('machine "rounds"'),
  })
})
