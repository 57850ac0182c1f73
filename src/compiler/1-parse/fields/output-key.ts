import type { JsonObject } from "../../../machines/data/json-object.js"
import { isHiddenKey } from "../../../machines/data/session-state.js"
import { systemKeys } from "../../../machines/data/system-keys.js"
import type { ParserLocation } from "../context/parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { data } from "./data.js"
import { filledText } from "./plain-values.js"

export const outputKey: Reader<string> = (value, location) => {
  const key = filledText(value, location)
  if (key !== null && isHiddenKey(key)) return refuseHidden(key, location)
  return key === null || !systemKeys.has(key) ? key : refuseReserved(key, location)
}

export const refuseHidden = (key: string, location: ParserLocation): null =>
  report(location, {
    code: "bad_value",
    problem: `has the key ${JSON.stringify(key)}, which starts with U+0000 and is therefore reserved for the system`,
    fix: "Choose another key.",
  })

export const refuseReserved = (key: string, location: ParserLocation): null =>
  report(location, {
    code: "reserved_name",
    problem: `is "${key}", which is reserved for the system`,
    fix: "Choose another key.",
  })

/** Parses the initial session state. Keys that are reserved for the system are rejected. */
export const stateData: Reader<JsonObject> = (value, location) => {
  const state = data(value, location)
  const hidden = Object.keys(state ?? {}).find(isHiddenKey)
  return hidden === undefined ? state : refuseHidden(hidden, location)
}

/**
 * Rejects an output key on a parallel block, because a parallel block has no single result to save.
 */
export const noOutputKey: Reader<never> = (_, location) =>
  report(location, {
    code: "output_key_on_parallel",
    problem: "has no effect: a parallel block has no single result",
    fix: "Remove the outputKey, and add a separate outputKey to each branch.",
    part: "key",
  })
