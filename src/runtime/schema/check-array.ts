import type { Checking, Schema } from "./checking.js"
import type { Evaluated } from "./evaluated.js"
import { type SchemaViolation, inside, type Location, moreSpecific } from "./schema-violation.js"
import { firstDuplicates } from "./json-values.js"

/**
 * Validates an array against the array keywords of a JSON Schema. Returns the most specific
 * violation, or null if the array is valid. `location` is the location of the array in the
 * validated value.
 */
export function checkArray(
  checking: Checking,
  schema: Schema,
  value: readonly unknown[],
  location: Location | null,
  evaluated: Evaluated | null,
): SchemaViolation | null {
  let failure: SchemaViolation | null = null
  const add = (found: SchemaViolation | null): void => {
    failure = moreSpecific(failure, found)
  }
  const fail = (message: () => string): void => add({ location, message })
  const checkItem = (index: number, inner: unknown): SchemaViolation | null =>
    checking.check(inner, value[index], inside(location, index), checking.newEvaluated())
  const { length } = value

  const { minItems, maxItems, contains, minContains, maxContains } = schema
  if (typeof maxItems === "number" && length > maxItems)
    fail(() => `Array has too many items (${length} > ${maxItems}).`)
  if (typeof minItems === "number" && length < minItems)
    fail(() => `Array has too few items (${length} < ${minItems}).`)
  const { prefixItems, items, additionalItems, unevaluatedItems } = schema
  // Before draft 2020-12, `items` with an array had the meaning of `prefixItems`.
  const prefix = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? additionalItems : items
  let next = 0
  const checkNext = (inner: unknown, message: string): void => {
    const found = checkItem(next, inner)
    evaluated?.items.add(next)
    next++
    if (found === null) return
    fail(() => message)
    add(found)
  }
  while (next < Math.min(prefix.length, length))
    checkNext(prefix[next], "Items did not match schema.")
  if (rest !== undefined) while (next < length) checkNext(rest, "Items did not match schema.")
  if (contains !== undefined) {
    let matches = 0
    for (let index = 0; index < length; index++)
      if (checkItem(index, contains) === null) {
        matches++
        evaluated?.items.add(index)
      }
    const least = typeof minContains === "number" ? minContains : 1
    if (matches < least)
      fail(() => `Array has less items (${matches}) that match "contains" than ${least}.`)
    if (typeof maxContains === "number" && matches > maxContains)
      fail(() => `Array has more items (${matches}) that match "contains" than ${maxContains}.`)
  }
  if (unevaluatedItems !== undefined)
    for (let index = 0; index < length; index++) {
      if (evaluated?.items.has(index) === true) continue
      const found = checkItem(index, unevaluatedItems)
      evaluated?.items.add(index)
      if (found !== null) fail(() => "Items did not match unevaluated items schema.")
      add(found)
    }
  if (schema["uniqueItems"] === true) {
    const same = firstDuplicates(value, checking.meter)
    if (same !== null) fail(() => `Duplicate items at indexes ${same[0]} and ${same[1]}.`)
  }
  return failure
}
