import type { NodeRetry } from "../../../../machines/contract/chart-graph.js"
import { withoutNulls } from "../../../../machines/data/without-nulls.js"
import {
  nodeOptions as description,
  nodeRetry as retry,
} from "../../../agent-types/node-options.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import type { ParsedNodeOptions } from "../../config/parsed-node-options.js"
import { describedTable, readDescribed } from "../../fields/described-table.js"
import type { Reader } from "../../fields/field-table.js"
import {
  count,
  filledText,
  flag,
  list,
  numberFrom,
  objectOf,
  refuseType,
} from "../../fields/plain-values.js"
import { schema } from "../values/llm-agent-values.js"
import { callbackNames } from "../values/service-names.js"

/**
 * Parses the options that a Workflow sets for its nodes. The keys of the returned map are node
 * names.
 */
export const nodeOptions: Reader<ReadonlyMap<string, ParsedNodeOptions>> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(
      value,
      location,
      "an object of options by node name",
      '{"fetch": {"timeout": 5}}',
    )
  const entries = Object.entries(object).flatMap(([node, one]) => {
    const read = optionsOf(one, fieldOf(location, node))
    return read === null ? [] : [[node, read] as const]
  })
  return new Map(entries)
}

const optionsOf: Reader<ParsedNodeOptions> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object of options", '{"timeout": 5}')
  const read = readDescribed(object, table, location)
  const { retryConfig, timeout, parallelWorker, ...others } = read.values
  if (others.maxParallelWorkers !== null && parallelWorker !== true)
    report(read.locationOf("maxParallelWorkers"), {
      code: "bad_value",
      problem: "is set without parallelWorker",
      fix: 'Add "parallelWorker": true, or remove it.',
    })
  const { rerunOnResume, waitForOutput, seesConversation, returnsNodeResult, ...values } = others
  const set = (isSet: boolean | null): true | null => (isSet === true ? true : null)
  return {
    location,
    isWorker: parallelWorker === true,
    options: withoutNulls({
      retry: retryConfig,
      timeoutMs: timeout === null ? null : timeout * 1000,
      ...values,
      rerunOnResume: set(rerunOnResume),
      waitForOutput: set(waitForOutput),
      seesConversation: set(seesConversation),
      returnsNodeResult: set(returnsNodeResult),
    }),
  }
}

const seconds: Reader<number> = (value, location) => {
  const read = numberFrom(0)(value, location)
  return read !== 0
    ? read
    : report(location, {
        code: "bad_value",
        problem: "must be greater than 0",
        fix: "Write a number of seconds, such as 5 or 0.5.",
      })
}

const nodeRetry: Reader<NodeRetry> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"maxAttempts": 3}')
  const { initialDelay, maxDelay, maxAttempts, backoffFactor, jitter, exceptions } = readDescribed(
    object,
    retryTable,
    location,
  ).values
  return {
    maxAttempts,
    initialDelayMs: initialDelay * 1000,
    maxDelayMs: maxDelay * 1000,
    backoffFactor,
    jitter,
    ...withoutNulls({ exceptions }),
  }
}

const errorNames: Reader<readonly string[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => filledText(entry, fieldOf(location, index)) ?? [],
  ) ?? null

const retryTable = describedTable(retry, "adk", {
  count,
  amount: numberFrom(0),
  factor: numberFrom(1),
  toolNames: errorNames,
})

const table = describedTable(description, "adk", {
  nodeRetry,
  seconds,
  flag,
  count,
  jsonSchema: schema,
  callbacks: callbackNames,
})
