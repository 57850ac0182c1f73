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
  ["an answer to a pending request", asked, { type: "answer", id: "boss#0", value: 1 }],
  [
    "an end message for a running run",
    { ...asked, status: "running", pending: [] },
    { type: "end" },
  ],
  [
    "a user message for an idle run",
    { ...asked, status: "completed", pending: [] },
    { type: "say", content: "And now?" },
  ],
])("checkMessage accepts %s", (_, standing, message) => {
  expect(() => checkMessage(standing, message)).not.toThrow()
})

test.each<[string, PublishedRunStatus, unknown, string]>([
  [
    "an answer to an unknown request",
    asked,
    { type: "answer", id: "boss#1", value: 1 },
    "request_unknown",
  ],
  [
    "a message of the wrong kind for its request",
    asked,
    { type: "approve", id: "boss#0" },
    "input_refused",
  ],
  ["a value that is not a message", asked, null, "input_refused"],
  [
    "a message to a finished run",
    { ...asked, status: "completed", isOver: true, pending: [] },
    { type: "cancel" },
    "run_finished",
  ],
])("checkMessage rejects %s", (_, standing, message, code) => {
  expect(() => checkMessage(standing, message as RunMessage)).toThrow(
    expect.objectContaining({ code }),
  )
})
