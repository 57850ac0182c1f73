import assert from "node:assert/strict"
import { test } from "node:test"
import { playScenario } from "./play-scenario.mjs"

test("the agent looks up the order before it answers", async () => {
  const { result, requests } = await playScenario()
  assert.equal(result.status, "completed", result.error?.message)
  assert.equal(result.state.answer, "Your teapot is in transit. It arrives tomorrow.")
  assert.equal(result.usage.modelCalls, 2)
  assert.match(JSON.stringify(requests.at(-1).body), /in transit/)
})
