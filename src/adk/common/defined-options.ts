import type { JsonObject } from "../../machines/data/json-object.js"

/** Returns an object with those of the named options that are set. */
export const definedOptions = <Name extends string>(
  options: { readonly [Key in Name]?: unknown },
  names: readonly Name[],
): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const])),
  )
