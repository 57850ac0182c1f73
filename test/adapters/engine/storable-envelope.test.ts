import { expect, test } from "vitest"
import { storableEnvelope } from "../../../src/adapters/engine/storable-envelope.js"

test("a JSON result is stored unchanged, and any other result becomes a failure that is not retried", () => {
  const result = { ok: true, value: { a: [1, "b", null] }, at: 7 } as const
  expect(storableEnvelope(result)).toBe(result)
  const circle: Record<string, unknown> = {}
  circle["self"] = circle
  for (const value of [1n, circle])
    expect(storableEnvelope({ ok: true, value, at: 7 })).toMatchObject({
      ok: false,
      error: { code: "service_answer_malformed", retryable: false },
      at: 7,
    })
})
