import { taskNodes } from "../../agent-types/task-nodes.js"
import type { Owner } from "../../diagnostics/config-location.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import type { TaskConfig, TaskConfigType } from "./task-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { objectOf } from "../fields/plain-values.js"
import { sharedReaders } from "../fields/value-readers.js"
import { taskReaders } from "./node-values.js"

const readers = { ...sharedReaders, ...taskReaders } as const

const dialect = "graph-compose"

const tables = {
  http: describedTable(taskNodes.http, dialect, readers),
  adk: describedTable(taskNodes.adk, dialect, readers),
  forEach: describedTable(taskNodes.forEach, dialect, readers),
  endForEach: describedTable(taskNodes.endForEach, dialect, readers),
  error_boundary: describedTable(taskNodes.error_boundary, dialect, readers),
  confirmation: describedTable(taskNodes.confirmation, dialect, readers),
  source_iterator: describedTable(taskNodes.source_iterator, dialect, readers),
  destination: describedTable(taskNodes.destination, dialect, readers),
} as const

const siblings = Object.values(tables)

type TaskReader = (
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
) => TaskConfig

/** Functions that parse a node of a Graph Compose graph, by node type. */
const taskTypes: Readonly<Record<TaskConfigType, TaskReader>> = {
  http(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(object, tables.http, location, siblings)
    return { ...values, type: "http", location, fieldAt }
  },
  adk(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(object, tables.adk, location, siblings)
    return { ...values, type: "adk", location, fieldAt }
  },
  forEach(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.forEach,
      location,
      siblings,
    )
    return { ...values, type: "forEach", location, fieldAt }
  },
  endForEach(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.endForEach,
      location,
      siblings,
    )
    return { ...values, type: "endForEach", location, fieldAt }
  },
  error_boundary(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.error_boundary,
      location,
      siblings,
    )
    return { ...values, type: "error_boundary", location, fieldAt }
  },
  confirmation(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.confirmation,
      location,
      siblings,
    )
    return { ...values, type: "confirmation", location, fieldAt }
  },
  source_iterator(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.source_iterator,
      location,
      siblings,
    )
    return { ...values, type: "source_iterator", location, fieldAt }
  },
  destination(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.destination,
      location,
      siblings,
    )
    return { ...values, type: "destination", location, fieldAt }
  },
}

const typeNames = Object.keys(taskTypes)

/** Former node types of Graph Compose. The type `adk` has replaced them. */
const replaced = ["agent", "tool"]

/**
 * Parses a node of a Graph Compose graph. If the value is not a node, reports an error and returns
 * null.
 */
export function readTask(value: unknown, location: ParserLocation): TaskConfig | null {
  const object = objectOf(value)
  if (object === null)
    return report(location, {
      code: "wrong_type",
      problem: `must be a node, not ${describeValue(value)}`,
      fix: 'Write an object with "id" and "type".',
    })
  const type = object["type"]
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: ownerOf(type, object["id"], location),
  }
  if (isTaskType(type)) return taskTypes[type](object, own)
  const typeAt = fieldOf(own, "type")
  if (type === undefined || type === null)
    return report(
      { ...typeAt, pointer: own.pointer },
      {
        code: "missing_field",
        problem: "is missing",
        fix: `Add "type": ${oneOfThese(typeNames.map((name) => `"${name}"`))}.`,
      },
    )
  if (typeof type === "string" && replaced.includes(type))
    return report(typeAt, {
      code: "unknown_node_type",
      problem: `is "${type}", a type that Graph Compose has replaced`,
      fix: 'Write a node of type "adk" that contains the agent in its "config".',
    })
  const suggestion = typeof type === "string" ? location.parser.suggest(type, typeNames) : null
  return report(typeAt, {
    code: "unknown_node_type",
    problem: `is ${describeValue(type)}, which is not a node type`,
    fix: `${didYouMean(suggestion)}Write ${oneOfThese(typeNames.map((name) => `"${name}"`))}.`,
  })
}

const isTaskType = (type: unknown): type is TaskConfigType =>
  typeof type === "string" && Object.hasOwn(taskTypes, type)

function ownerOf(type: unknown, id: unknown, location: ParserLocation): Owner {
  const kind = isTaskType(type) ? `${type} node` : "node"
  return typeof id === "string" && id !== ""
    ? { kind: "workflow", id, label: `the ${kind} ${describeValue(id)}` }
    : { kind: "workflow", id: null, label: `the ${kind} at ${location.pointer}` }
}
