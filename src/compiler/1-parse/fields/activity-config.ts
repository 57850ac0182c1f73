import type { Activity } from "../../../machines/contract/activity.js"
import { duration } from "./duration.js"
import type { Reader } from "./field-table.js"
import { fieldTable, optional } from "./field-table.js"
import { count, numberFrom, objectOf, refuseType } from "./plain-values.js"
import { readFields, type Values } from "./read-fields.js"

/** One attempt, and no time limit but the runner's (docs/semantics.md#retries). */
export const defaultActivity: Activity = {
  startToCloseMs: null,
  scheduleToCloseMs: null,
  maximumAttempts: 1,
  initialIntervalMs: 1000,
  backoffCoefficient: 2,
  maximumIntervalMs: null,
}

/** Timeouts and retries of one call. */
export const activityConfig: Reader<Activity> = (value, at) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, at, "an object", '{"startToCloseTimeout": "30s"}')
  const { values } = readFields(object, activityFields, at, [retryFields])
  return {
    ...defaultActivity,
    startToCloseMs: values.startToCloseTimeout,
    scheduleToCloseMs: values.scheduleToCloseTimeout,
    ...values.retryPolicy,
  }
}

const retryPolicy: Reader<Partial<Activity>> = (value, at) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, at, "an object", '{"maximumAttempts": 3}')
  const values: Values<typeof retryFields.fields> = readFields(object, retryFields, at, [
    activityFields,
  ]).values
  return {
    maximumIntervalMs: values.maximumInterval,
    ...(values.maximumAttempts !== null && { maximumAttempts: values.maximumAttempts }),
    ...(values.initialInterval !== null && { initialIntervalMs: values.initialInterval }),
    ...(values.backoffCoefficient !== null && { backoffCoefficient: values.backoffCoefficient }),
  }
}

const retryFields = fieldTable(
  "a retryPolicy",
  {
    maximumAttempts: optional(count),
    initialInterval: optional(duration),
    backoffCoefficient: optional(numberFrom(1)),
    maximumInterval: optional(duration),
  },
  {
    synonyms: {
      maxAttempts: "maximumAttempts",
      attempts: "maximumAttempts",
      retries: "maximumAttempts",
      maxInterval: "maximumInterval",
    },
  },
)

const activityFields = fieldTable(
  "an activityConfig",
  {
    startToCloseTimeout: optional(duration),
    scheduleToCloseTimeout: optional(duration),
    retryPolicy: optional(retryPolicy),
  },
  { synonyms: { timeout: "startToCloseTimeout", retry: "retryPolicy", retries: "retryPolicy" } },
)
