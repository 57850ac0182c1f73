import type { HookUse } from "../../machines/contract/hook-use.js"
import { factoryOfHook, serviceOfHook } from "../../machines/contract/hook-use.js"

/** Returns a copy of an object without the fields whose value is null or undefined. */
export const definedFields = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )

/**
 * Converts a callback to the Agent Config format. The result contains the name of the callback and
 * the arguments from which it is created.
 */
export const hookYaml = (use: HookUse): Record<string, unknown> => ({
  name: serviceOfHook(use),
  ...definedFields({ args: factoryOfHook(use) }),
})
