import type { JsonObject } from "../data/json-object.js"

/**
 * A reference to a callback: the name of a host function that is the callback, or the name of a
 * host function that creates the callback from the arguments in `factory`.
 */
export type HookUse = string | { readonly service: string; readonly factory: JsonObject }

export const serviceOfHook = (use: HookUse): string => (typeof use === "string" ? use : use.service)

export const factoryOfHook = (use: HookUse): JsonObject | null =>
  typeof use === "string" ? null : use.factory
