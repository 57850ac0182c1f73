import assert from "node:assert/strict"
import { test } from "node:test"
import { playScenario } from "./play-scenario.mjs"

test("the writer reads the notes of all researchers", async () => {
  const { result, requests } = await playScenario()
  assert.equal(result.status, "completed", result.error?.message)
  assert.match(result.state.report, /4,000 EUR/)
  const writer = JSON.stringify(requests.at(-1).body.messages)
  assert.match(writer, /A cargo bike costs 4,000 EUR/)
  assert.match(writer, /replaces 30 car trips a month/)
  assert.match(writer, /too narrow/)
})
