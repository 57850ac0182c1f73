import { bothDialects, inBothDialects, required } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields of a Graph Compose graph. Its nodes call services and depend on each
 * other.
 */
export const taskGraph = {
  name: "a graph",
  fields: {
    nodes: {
      type: "nodeList",
      defaultText: "required",
      description: "The nodes, in any order.",
      dialects: inBothDialects(required('Add the list of nodes: "nodes": [...].')),
    },
    context: {
      type: "data",
      defaultText: "`{}`",
      description:
        "Data for [templates](#templates). A run can be started with a `context` of its own, whose keys replace the keys of the graph.",
      dialects: bothDialects,
    },
    webhookUrl: {
      type: "url",
      description: "An address to which the run posts its progress.",
      dialects: bothDialects,
    },
    workflowConfig: {
      type: "workflowConfig",
      description: "Limits of the whole run.",
      dialects: bothDialects,
    },
    meta: {
      type: "unchecked",
      description: "Notes that have no effect on a run.",
      dialects: bothDialects,
    },
    dialect: {
      type: "unchecked",
      defaultText: "detected",
      description: "The dialect of the agents in `adk` nodes.",
      dialects: bothDialects,
    },
    $schema: {
      type: "unchecked",
      description: "The [JSON Schema](#json-schema) of the config, for editors.",
      dialects: bothDialects,
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config object `workflowConfig`, which sets limits for a run of a Graph Compose
 * graph.
 */
export const graphLimits = {
  name: "a workflowConfig",
  fields: {
    workflowExecutionTimeout: {
      type: "duration",
      defaultText: "no limit",
      description:
        "Maximum [duration](#durations) of the run, including the time that it waits for people. A run that exceeds it ends with status `limit` and keeps its results.",
      dialects: inBothDialects({ synonyms: ["timeout", "executionTimeout"] }),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields for the conditions of an http node. The conditions decide which
 * dependent nodes run, when the workflow ends, and when to stop repeating the request.
 */
export const nodeConditions = {
  name: "the conditions of a node",
  fields: {
    continueTo: {
      type: "continueTo",
      description:
        "A list of `{ to, when }`. A dependent node that the list names is skipped if no entry for it is true.",
      dialects: bothDialects,
    },
    terminateWhen: {
      type: "graphConditions",
      description: "If one condition is true, the workflow ends after this node.",
      dialects: bothDialects,
    },
    pollUntil: {
      type: "graphConditions",
      description: "The request is repeated until all conditions are true.",
      dialects: bothDialects,
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields of an entry of `continueTo`. An entry contains the id of a dependent
 * node and the condition under which the dependent node runs.
 */
export const continueEntry = {
  name: "an entry of continueTo",
  fields: {
    to: {
      type: "reference",
      defaultText: "required",
      description: "The id of a node that depends on this node.",
      dialects: inBothDialects(required("Add the id of the node that continues.")),
    },
    when: {
      type: "graphCondition",
      defaultText: "required",
      description: "A condition.",
      dialects: inBothDialects(required('Add a condition: "when": "{{ data.count > 0 }}".')),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields for the JSON Schemas that validate the input and the result of an
 * http node.
 */
export const nodeValidation = {
  name: "the validation of a node",
  fields: {
    input: {
      type: "data",
      description: "A JSON schema for `results`, checked before the request.",
      dialects: bothDialects,
    },
    output: {
      type: "data",
      description: "A JSON schema for `data` of the result.",
      dialects: bothDialects,
    },
  },
} as const satisfies ObjectDescription

/** Describes the config field with the list of items over which a forEach node iterates. */
export const loopItems = {
  name: "the items of a forEach node",
  fields: {
    items: {
      type: "graphExpression",
      defaultText: "required",
      description: "One template whose value is a list.",
      dialects: inBothDialects(required('Add the list: "items": "{{ results.get_users.data }}".')),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields for the settings of a forEach node: its concurrency, its behavior on
 * failures, and the timeout and retries of each iteration.
 */
export const loopConfig = {
  name: "the config of a forEach node",
  fields: {
    concurrency: {
      type: "count",
      defaultText: "all",
      description: "Maximum number of children that run at the same time.",
      dialects: inBothDialects({ synonyms: ["maxConcurrency"] }),
    },
    continueOnError: {
      type: "flag",
      default: false,
      description: "If true, a failed child does not fail the node.",
      dialects: bothDialects,
    },
    maxFailures: {
      type: "count",
      description: "With `continueOnError`, more failed children than this fail the node.",
      dialects: bothDialects,
    },
    childWorkflowConfig: {
      type: "childWorkflowConfig",
      description: "Timeout and retries of each child.",
      dialects: bothDialects,
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields for the timeout and the retries of each loop iteration. Graph Compose
 * runs each iteration as a child workflow.
 */
export const childWorkflowConfig = {
  name: "a childWorkflowConfig",
  fields: {
    workflowExecutionTimeout: {
      type: "duration",
      defaultText: "as the graph",
      description: "Maximum duration of a child.",
      dialects: bothDialects,
    },
    retry: {
      type: "retryPolicy",
      description: "Attempts of a failed child, and the delays between them.",
      dialects: inBothDialects({ synonyms: ["retryPolicy"] }),
    },
  },
} as const satisfies ObjectDescription

/**
 * Descriptions of the objects that are nested in the fields of Graph Compose graphs and nodes. The
 * keys are the names of the corresponding definitions in the JSON Schema.
 */
export const taskParts = {
  graphLimits,
  nodeConditions,
  continueEntry,
  nodeValidation,
  loopItems,
  loopConfig,
  childWorkflowConfig,
} as const satisfies Readonly<Record<string, ObjectDescription>>
