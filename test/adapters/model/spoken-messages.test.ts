import type { AssistantModelMessage } from "ai"
import { expect, test } from "vitest"
import { providerMessages } from "../../../src/adapters/model/ai-sdk/provider-messages.js"

const call = (id: string, more: object = {}): AssistantModelMessage => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName: "look", input: { at: id }, ...more }],
})
const signed = (id: string): AssistantModelMessage =>
  call(id, { providerOptions: { google: { thoughtSignature: `signature of ${id}` } } })

test("the provider data of a message is restored in the same run and only for the same message", () => {
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

test("only the most recent messages with provider data are kept", () => {
  const spoken = providerMessages(2)
  for (const id of ["a", "b"]) spoken.keep("r", signed(id))
  spoken.keep("r", call("plain"))
  expect(spoken.restore("r", call("a"))).toEqual(signed("a"))
  spoken.keep("r", signed("c"))
  expect(spoken.restore("r", call("a"))).toEqual(call("a"))
  expect(spoken.restore("r", call("b"))).toEqual(signed("b"))
})
