import type { JsonObject } from "../data/json-object.js"

/**
 * A reference to a callback. A string is the name of the host function that is the callback. With
 * `factory`, the host function `service` creates the callback from these arguments.
 */
export type HookUse = string | { readonly service: string; readonly factory: JsonObject }

export const serviceOfHook = (use: HookUse): string => (typeof use === "string" ? use : use.service)

export const factoryOfHook = (use: HookUse): JsonObject | null =>
  typeof use === "string" ? null : use.factory
