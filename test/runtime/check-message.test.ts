import { expect, test } from "vitest"
import type { PublishedRunStatus } from "../../src/runtime/engine/check-message.js"
import { checkMessage } from "../../src/runtime/engine/check-message.js"
import type { RunMessage } from "../../src/runtime/run/run-message.js"

const asked: PublishedRunStatus = {
  runId: "r",
  status: "waiting",
  isOver: false,
  pending: [
    {
      id: "boss#0",
      kind: "human",
      agent: "boss",
      path: "boss",
      branch: null,
      prompt: "Well?",
      details: null,
    },
  ],
}

test.each<[string, PublishedRunStatus, RunMessage]>([
  ["an answer to what is asked", asked, { type: "answer", id: "boss#0", value: 1 }],
  ["the end, at any time", { ...asked, status: "running", pending: [] }, { type: "end" }],
  [
    "a message where a conversation rests",
    { ...asked, status: "completed", pending: [] },
    { type: "say", content: "And now?" },
  ],
])("a message is passed on that is %s", (_, standing, message) => {
  expect(() => checkMessage(standing, message)).not.toThrow()
})

test.each<[string, PublishedRunStatus, unknown, string]>([
  ["nobody asked for", asked, { type: "answer", id: "boss#1", value: 1 }, "request_unknown"],
  ["of another kind", asked, { type: "approve", id: "boss#0" }, "input_refused"],
  ["no message", asked, null, "input_refused"],
  [
    "for a run that is over",
    { ...asked, status: "completed", isOver: true, pending: [] },
    { type: "cancel" },
    "run_finished",
  ],
])("a message is refused to its sender that is %s", (_, standing, message, code) => {
  expect(() => checkMessage(standing, message as RunMessage)).toThrow(
    expect.objectContaining({ code }),
  )
})
