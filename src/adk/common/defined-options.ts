import type { JsonObject } from "../../machines/data/json-object.js"

/** Returns a copy of the listed options, without options whose value is undefined. */
export const definedOptions = <Name extends string>(
  options: { readonly [Key in Name]?: unknown },
  names: readonly Name[],
): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const])),
  )
