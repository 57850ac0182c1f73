import { describe, expect, test } from "vitest"
import { activityOptions } from "../../../../src/adapters/engine/temporal/activity-options.js"
import type { LeafCall } from "../../../../src/runtime/driver/host.js"

const call = (limits: object, attempt = 1): LeafCall => ({
  n: 0,
  src: "callModel",
  input: { request: { runId: "r", idempotencyKey: "r/line/writer#1", attempt }, ...limits },
})

describe("activityConfig as options of an activity", () => {
  test("the timeout of an activity is 10 seconds longer than the timeout of its call", () => {
    expect(activityOptions(call({ timeoutMs: 30_000, deadline: null }), 0, {})).toEqual({
      activityId: "line/writer#1",
      startToCloseTimeout: 40_000,
      heartbeatTimeout: 5_000,
      cancellationType: "TRY_CANCEL",
      retry: { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 30_000 },
    })
  })

  test("all attempts share the remaining time of scheduleToCloseTimeout", () => {
    expect(
      activityOptions(call({ timeoutMs: null, deadline: 61_000 }, 2), 1_000, {
        defaultTimeoutMs: 20_000,
      }),
    ).toMatchObject({
      activityId: "line/writer#1 attempt 2",
      startToCloseTimeout: 30_000,
      scheduleToCloseTimeout: 70_000,
    })
  })

  test("the activity of a host function has a timeout of one year", () => {
    expect(
      activityOptions({ ...call({}), src: "callHost" }, 0, {
        heartbeatMs: 1_000,
        taskQueue: "slow",
      }),
    ).toMatchObject({
      startToCloseTimeout: 365 * 24 * 3_600_000,
      heartbeatTimeout: 1_000,
      taskQueue: "slow",
    })
  })

  test("an activity id that is too long for Temporal is omitted", () => {
    const input = { request: { runId: "r", idempotencyKey: `r/${"a".repeat(256)}`, attempt: 1 } }
    expect(activityOptions({ n: 0, src: "callModel", input }, 0, {})).not.toHaveProperty(
      "activityId",
    )
  })
})
