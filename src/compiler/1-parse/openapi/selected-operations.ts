import type { JsonObject } from "../../../machines/data/json-object.js"
import { exitLoop, transferTool } from "../../../machines/model-call/built-in-tools.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { openapiLimits } from "../../../openapi/openapi-limits.js"
import type { OpenApiOperation } from "../../../openapi/read-operations.js"
import { readOperations } from "../../../openapi/read-operations.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"

/** The fields of an OpenAPI toolset that select operations and prefix their names. */
interface OperationFilter {
  readonly operations: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly prefix: string | null
}

/**
 * Returns the operations that an OpenAPI toolset selects, in the order of the document. Reports
 * selected names and tags that the document does not contain, and a selection that is empty or too
 * large.
 */
export function selectedOperations(
  document: JsonObject,
  { operations: wanted, tags, prefix }: OperationFilter,
  fieldAt: (field: string) => ParserLocation,
): readonly OpenApiOperation[] {
  const all = readOperations(document)
  const byName = new Map<string, OpenApiOperation>()
  for (const operation of all)
    for (const name of namesOf(operation)) if (!byName.has(name)) byName.set(name, operation)
  const knownTags = new Set(all.flatMap((operation) => operation.tags))
  let hasUnknown = false
  const refuse = (
    field: string,
    index: number,
    what: string,
    name: string,
    known: Iterable<string>,
  ) => {
    hasUnknown = true
    const location = fieldOf(fieldAt(field), index)
    report(location, {
      code: "bad_value",
      problem: `is ${describeValue(name)}, which is not ${what} of the document`,
      fix: `${didYouMean(location.parser.suggest(name, known))}Use the name of ${what} that the document contains, or remove this entry.`,
    })
  }
  wanted?.forEach((name, index) => {
    if (!byName.has(name)) refuse("operations", index, "an operation", name, byName.keys())
  })
  tags?.forEach((tag, index) => {
    if (!knownTags.has(tag)) refuse("tags", index, "a tag", tag, knownTags)
  })
  const chosen = wanted && new Set(wanted.flatMap((name) => byName.get(name) ?? []))
  const selected = all.filter(
    (operation) =>
      (chosen === null || chosen.has(operation)) &&
      (tags === null || operation.tags.some((tag) => tags.includes(tag))),
  )
  if (selected.length > openapiLimits.operations) {
    report(fieldAt(wanted === null ? "document" : "operations"), {
      code: "config_too_large",
      problem: `selects ${selected.length} operations; the limit is ${openapiLimits.operations}`,
      fix: 'Select the operations that agents need with "operations" or "tags".',
    })
    return []
  }
  if (selected.length === 0 && !hasUnknown)
    report(fieldAt("document"), {
      code: "bad_value",
      problem: all.length === 0 ? "contains no operations" : "contains no selected operations",
      fix: 'Check the fields "operations" and "tags", or use another document.',
    })
  return selected.filter(withUsableNames(prefix, fieldAt("document")))
}

const namesOf = ({ name, operationId, method, path }: OpenApiOperation): readonly string[] => [
  ...(operationId === null ? [] : [operationId]),
  name,
  `${method} ${path}`,
]

/**
 * Returns a predicate that is true for operations with a valid and unique tool name. The predicate
 * reports a warning for all other operations.
 */
function withUsableNames(
  prefix: string | null,
  location: ParserLocation,
): (operation: OpenApiOperation) => boolean {
  const names = new Set<string>()
  const problemOf = (name: string): string | null => {
    if (name === "") return "its id contains no letters or digits"
    if (names.has(name)) return `another operation is also named ${describeValue(name)}`
    return prefix === null && isReserved(name)
      ? `the name ${describeValue(name)} is reserved`
      : null
  }
  return ({ name, method, path }) => {
    const problem = problemOf(name)
    names.add(name)
    if (problem !== null)
      report(location, {
        code: "operation_unavailable",
        severity: "warning",
        problem: `contains the operation ${describeValue(`${method} ${path}`)}, which is not available: ${problem}`,
        fix: 'Set a unique operationId in the document, or set a "prefix".',
      })
    return problem === null
  }
}

const isReserved = (name: string): boolean =>
  name === exitLoop || name === transferTool || name === "prototype" || name in Object.prototype
