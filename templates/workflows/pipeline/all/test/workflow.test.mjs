import assert from "node:assert/strict"
import { test } from "node:test"
import { playScenario } from "./play-scenario.mjs"

test("each agent reads the work of the agent before it", async () => {
  const { result, requests } = await playScenario()
  assert.equal(result.status, "completed", result.error?.message)
  assert.equal(
    result.text,
    "Since 1875, trams have connected Oslo, today on six lines with 99 stops.",
  )
  const [, writer, editor] = requests.map(({ body }) => JSON.stringify(body.messages))
  assert.match(writer, /The network has 99 stops/)
  assert.match(editor, /Today, six lines connect 99 stops/)
})
