import type { AssistantModelMessage } from "ai"
import { expect, test } from "vitest"
import { providerMessages } from "../../../src/adapters/model/ai-sdk/provider-messages.js"

const call = (id: string, more: object = {}): AssistantModelMessage => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName: "look", input: { at: id }, ...more }],
})
const signed = (id: string): AssistantModelMessage =>
  call(id, { providerOptions: { google: { thoughtSignature: `signature of ${id}` } } })

test("what a provider has attached to calls comes back in its run, and only as far as the same is said", () => {
  const spoken = providerMessages()
  spoken.keep("r", signed("a"))
  expect(spoken.restore("r", call("a"))).toEqual(signed("a"))
  expect(spoken.restore("other", call("a"))).toEqual(call("a"))
  expect(spoken.restore("r", call("a", { input: { at: "b" } }))).toEqual(
    call("a", { input: { at: "b" } }),
  )
  expect(spoken.restore("r", { role: "assistant", content: "a" })).toEqual({
    role: "assistant",
    content: "a",
  })
})

test("the last messages are kept, and none that hold nothing more than calls", () => {
  const spoken = providerMessages(2)
  for (const id of ["a", "b"]) spoken.keep("r", signed(id))
  spoken.keep("r", call("plain"))
  expect(spoken.restore("r", call("a"))).toEqual(signed("a"))
  spoken.keep("r", signed("c"))
  expect(spoken.restore("r", call("a"))).toEqual(call("a"))
  expect(spoken.restore("r", call("b"))).toEqual(signed("b"))
})
