import assert from "node:assert/strict"
import { test } from "node:test"
import { playScenario } from "./play-scenario.mjs"

test("the article is published after the critic and a person have approved it", async () => {
  const { result } = await playScenario(["publish"])
  assert.equal(result.status, "completed", result.error?.message)
  assert.equal(result.state.article, "The new tram line 7 opens on 3 May. It ends at the harbour.")
  assert.equal(result.state.headline, "Line 7 to the harbour opens on 3 May")
  assert.equal(result.usage.modelCalls, 5)
})

test("the article is not published if the person rejects it", async () => {
  const { result } = await playScenario(["reject"])
  assert.equal(result.status, "completed", result.error?.message)
  assert.equal(result.state.decision, "reject")
  assert.equal(result.state.headline, undefined)
})
