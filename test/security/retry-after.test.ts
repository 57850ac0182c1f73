import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { nextAttemptAt } from "../../src/machines/model-call/retry-policy.js"

/** Returns the activity settings that the compiler creates from a config with this retry policy. */
function activityOf(retryPolicy: object, more: object = {}) {
  const { chart } = compile({
    rootAgentId: "a",
    agents: [
      {
        type: "LlmAgent",
        id: "a",
        httpConfig: { url: "http://llm.test/a", method: "POST" },
        activityConfig: { retryPolicy: { maximumAttempts: 9, ...retryPolicy }, ...more },
      },
    ],
  })
  const agent = chart?.agents["a"]
  if (agent?.type !== "LlmAgent") throw new Error("the config has errors")
  return agent.activity
}

const refusal = (seconds: number) => ({
  code: "model_call_failed" as const,
  message: "answered 429",
  retryable: true,
  retryAfterMs: seconds * 1000,
})

describe("a response with a long Retry-After header", () => {
  test("Retry-After delays the next attempt by at most maximumInterval", () => {
    const activity = activityOf({ initialInterval: "5 ms", maximumInterval: "1 second" })
    expect(nextAttemptAt(activity, 1, 0, refusal(999_999_999), 100)).toBe(1_100)
    expect(nextAttemptAt(activity, 1, 0, refusal(0.5), 100)).toBe(600)
  })

  test("Retry-After delays the next attempt by at most one hour if the policy has no maximumInterval", () => {
    const activity = activityOf({ initialInterval: "5 ms" })
    expect(nextAttemptAt(activity, 1, 0, refusal(999_999_999), 0)).toBe(3_600_000)
    expect(nextAttemptAt(activity, 1, 0, refusal(60), 0)).toBe(60_000)
  })

  test("Retry-After does not shorten the interval of the policy", () => {
    const activity = activityOf({ initialInterval: "2 seconds" })
    expect(nextAttemptAt(activity, 1, 0, refusal(1), 0)).toBe(2_000)
  })

  test("a call fails if Retry-After delays its next attempt beyond scheduleToCloseTimeout", () => {
    const activity = activityOf(
      { initialInterval: "5 ms" },
      { scheduleToCloseTimeout: "10 seconds" },
    )
    expect(nextAttemptAt(activity, 1, 0, refusal(999_999_999), 0)).toBeNull()
  })
})
