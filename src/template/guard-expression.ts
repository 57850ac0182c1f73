import type jsonata from "jsonata"
import { boundFunctions, tooLarge } from "./bounded-functions.js"
import type { TemplateLimits } from "./template-limits.js"

/** JSONata calls what is bound to this name with every intermediate result. */
const afterEachStep = Symbol.for("jsonata.__evaluate_exit")

/**
 * Closes what JSONata's own limits leave open. They count steps and list entries, but a text or an object that doubles a
 * few dozen times stays within them and is larger than any memory; so every intermediate value is measured.
 */
export function guardExpression(program: jsonata.Expression, limits: TemplateLimits): void {
  const sizes = new WeakMap<object, number>()
  const measure = (
    _expression: unknown,
    _input: unknown,
    _environment: unknown,
    result: unknown,
  ): void => {
    if (Array.isArray(result) && result.length > limits.sequence)
      throw tooLarge(`a list of more than ${limits.sequence} values`)
    if (sizeOf(result, sizes, limits.size) > limits.size)
      throw tooLarge(`a value of more than ${limits.size} characters`)
  }
  // `assign` is typed for names only, but hands its first argument to `bind`, which takes symbols.
  program.assign(afterEachStep as unknown as string, measure)
  boundFunctions(program, limits)
}

/** Shared parts count each time they occur, but are measured once. */
function sizeOf(value: unknown, sizes: WeakMap<object, number>, limit: number): number {
  if (typeof value === "string") return value.length + 1
  if (typeof value !== "object" || value === null) return 1
  const known = sizes.get(value)
  if (known !== undefined) return known
  // JSONata's functions point back at their environments; they are no data.
  if ("_jsonata_lambda" in value || "_jsonata_function" in value) return 1
  let size = 1
  for (const [key, entry] of Object.entries(value)) {
    size += (Array.isArray(value) ? 0 : key.length) + sizeOf(entry, sizes, limit)
    if (size > limit) break
  }
  sizes.set(value, size)
  return size
}
