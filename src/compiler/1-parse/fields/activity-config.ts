import type { Activity } from "../../../machines/contract/activity.js"
import { withoutNulls } from "../../../machines/data/without-nulls.js"
import {
  activityConfig as description,
  modelActivityConfig as modelDescription,
  retryPolicy as retry,
} from "../../agent-types/call-settings.js"
import type { ParsedValues } from "../config/agent-config.js"
import { describedTable, readDescribed } from "./described-table.js"
import { duration } from "./duration.js"
import type { Reader } from "./field-table.js"
import { count, numberFrom, objectOf, refuseType } from "./plain-values.js"

const defaultRetries: ParsedValues["retryPolicy"] = {
  maximumAttempts: retry.fields.maximumAttempts.default,
  initialIntervalMs: retry.fields.initialIntervalMs.default,
  backoffCoefficient: retry.fields.backoffCoefficient.default,
  maximumIntervalMs: null,
}

/**
 * The timeouts and retries of a call if the config does not set any: one attempt without a timeout
 * (docs/semantics.md#retries).
 */
export const defaultActivity: Activity = {
  startToCloseMs: null,
  scheduleToCloseMs: null,
  ...defaultRetries,
}

/** Parses `activityConfig`, the timeouts and retries of a call. */
export const activityConfig: Reader<Activity> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"startToCloseTimeout": "30s"}')
  const { startToCloseMs, scheduleToCloseMs, retryPolicy } = readDescribed(
    object,
    table,
    location,
    [retryTable],
  ).values
  // The spread of the defaults determines the order of the fields. The fingerprint of a chart
  // depends on this order.
  return { ...defaultActivity, startToCloseMs, scheduleToCloseMs, ...retryPolicy }
}

/** Parses the `activityConfig` of a model call, which sets timeouts and retries. */
export const modelActivityConfig: Reader<Activity> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"startToCloseTimeout": "30s"}')
  const { startToCloseMs, scheduleToCloseMs, idleMs, retryPolicy } = readDescribed(
    object,
    modelTable,
    location,
    [retryTable],
  ).values
  return {
    ...defaultActivity,
    startToCloseMs,
    scheduleToCloseMs,
    ...retryPolicy,
    ...withoutNulls({ idleMs }),
  }
}

/** Parses `retryPolicy`, which sets the number of attempts and the delays between them. */
export const retryPolicy: Reader<ParsedValues["retryPolicy"]> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"maximumAttempts": 3}')
  return readDescribed(object, retryTable, location, [table]).values
}

const retryTable = describedTable(retry, "graph-compose", {
  count,
  duration,
  factor: numberFrom(1),
})

const table = describedTable(description, "graph-compose", { duration, retryPolicy })

const modelTable = describedTable(modelDescription, "graph-compose", { duration, retryPolicy })
