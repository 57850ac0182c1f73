import type { JsonObject } from "../data/json-object.js"

/** A callback where an agent names it: a service, or a service and what it is to make the callback from. */
export type HookUse = string | { readonly service: string; readonly factory: JsonObject }

export const serviceOfHook = (use: HookUse): string => (typeof use === "string" ? use : use.service)

export const factoryOfHook = (use: HookUse): JsonObject | null =>
  typeof use === "string" ? null : use.factory
