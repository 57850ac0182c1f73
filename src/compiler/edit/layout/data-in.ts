import { snakeCase } from "../../diagnostics/naming.js"
import { pointerKeys } from "../../document/json-pointer.js"

/** Returns the value at a JSON pointer of a document. Returns undefined if there is no value. */
export const dataIn = (document: unknown, pointer: string): unknown =>
  pointerKeys(pointer).reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    document,
  )

/**
 * Returns the key of an object that equals `step` in camelCase or snake_case. If there is no such
 * key, returns `step` unchanged.
 */
export function spellingIn(object: unknown, step: string | number): string | number {
  if (typeof step === "number" || typeof object !== "object" || object === null) return step
  if (Object.hasOwn(object, step)) return step
  return Object.keys(object).find((key) => snakeCase(key) === snakeCase(step)) ?? step
}
