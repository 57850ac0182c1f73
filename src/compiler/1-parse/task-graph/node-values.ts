import { configLimits } from "../../document/config-limits.js"
import {
  childWorkflowConfig,
  continueEntry,
  graphLimits,
  loopConfig,
  loopItems,
  nodeConditions,
  nodeValidation,
} from "../../agent-types/task-graph.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ObjectDescription } from "../../agent-types/field-description.js"
import type { ParsedFields } from "../config/agent-config.js"
import type { ContinueEntry, NodeActivity } from "../config/task-values.js"
import type { LocatedId } from "../config/named.js"
import { activityConfig, retryPolicy } from "../fields/activity-config.js"
import { anything, data } from "../fields/data.js"
import type { ValueReaders } from "../fields/described-table.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { duration } from "../fields/duration.js"
import type { Reader } from "../fields/field-table.js"
import { reference } from "../fields/identifier.js"
import { count, flag, list, objectOf, refuseType } from "../fields/plain-values.js"
import { templateData } from "../fields/template-text.js"
import { condition, conditions, expression } from "./expressions.js"
import { destinationRequest, nodeRequest } from "./request.js"

/**
 * Parses the id of a Graph Compose node. The id must not contain dots or dashes, because JSONata
 * expressions use it as a name.
 */
const nodeId: Reader<string> = (value, location) => {
  if (typeof value !== "string")
    return refuseType(value, location, "a string", 'a string such as "get_user"')
  if (!/^[A-Za-z0-9_]{1,128}$/.test(value))
    report(location, {
      code: "bad_id",
      problem: `is ${describeValue(value)}, which is not a valid node id`,
      fix: 'Use letters, digits and "_", at most 128 characters.',
    })
  else if (value in Object.prototype || value === "prototype")
    report(location, {
      code: "reserved_name",
      problem: `is "${value}", which is a reserved name in JavaScript`,
      fix: "Choose another id.",
    })
  return value
}

const dependencies: Reader<readonly LocatedId[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => reference(entry, fieldOf(location, index)) ?? [],
  ) ?? null

const nodeActivity: Reader<NodeActivity> = (value, location) => {
  const activity = activityConfig(value, location)
  if (activity === null) return null
  const object = objectOf(value)
  const retries = objectOf(object?.["retryPolicy"] ?? object?.["retry_policy"])
  return {
    activity,
    setsRetries: retries !== null,
    setsAttempts: (retries?.["maximumAttempts"] ?? retries?.["maximum_attempts"] ?? null) !== null,
  }
}

/**
 * Returns a function that parses an object with the described fields, such as the settings of a
 * loop.
 */
function objectReader<const Description extends ObjectDescription>(
  description: Description,
  readers: ValueReaders,
  example: string,
): Reader<ParsedFields<Description["fields"]>> {
  const table = describedTable(description, "graph-compose", readers)
  return (value, location) => {
    const object = objectOf(value)
    return object === null
      ? refuseType(value, location, "an object", example)
      : readDescribed(object, table, location).values
  }
}

const entryReader = objectReader(
  continueEntry,
  { reference, graphCondition: condition },
  '{"to": "pay", "when": "{{ data.count > 0 }}"}',
)

const continueTo: Reader<readonly ContinueEntry[]> = (value, location) =>
  list(value, location)?.flatMap((entry, index): readonly ContinueEntry[] => {
    const read = entryReader(entry, fieldOf(location, index))
    return read === null || read.to === null || read.when === null
      ? []
      : [{ to: read.to, when: read.when }]
  }) ?? null

const nodeList: Reader<readonly unknown[]> = (value, location) => {
  const nodes = list(value, location)
  if (nodes === null) return null
  if (nodes.length === 0)
    return report(location, {
      code: "bad_value",
      problem: "is an empty list",
      fix: "Add at least one node to the list.",
    })
  return nodes.length <= configLimits.nodes
    ? nodes
    : report(location, {
        code: "config_too_large",
        problem: `has ${nodes.length} nodes; the limit is ${configLimits.nodes}`,
        fix: "Split the graph into several workflows.",
      })
}

/** Functions that parse the fields of Graph Compose graphs and their nodes, by value type. */
export const taskReaders = {
  adkConfig: anything,
  nodeId,
  nodeList,
  dependencies,
  nodeActivity,
  nodeRequest,
  destinationRequest,
  outputMapping: templateData,
  nodeValidation: objectReader(nodeValidation, { data }, '{"output": {"type": "object"}}'),
  nodeConditions: objectReader(
    nodeConditions,
    { continueTo, graphConditions: conditions },
    '{"terminateWhen": ["{{ data.done = true }}"]}',
  ),
  loopItems: objectReader(
    loopItems,
    { graphExpression: expression },
    '{"items": "{{ results.get_users.data }}"}',
  ),
  loopConfig: objectReader(
    loopConfig,
    {
      count,
      flag,
      childWorkflowConfig: objectReader(
        childWorkflowConfig,
        { duration, retryPolicy },
        '{"workflowExecutionTimeout": "1 minute"}',
      ),
    },
    '{"concurrency": 5}',
  ),
  workflowConfig: objectReader(
    graphLimits,
    { duration },
    '{"workflowExecutionTimeout": "5 minutes"}',
  ),
} as const satisfies ValueReaders
