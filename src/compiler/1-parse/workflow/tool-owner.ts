import type { Owner } from "../../diagnostics/config-location.js"
import { show } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"

/**
 * Returns the `Owner` of a tool's fields, so that messages about a field name the tool. `kind` is
 * the type of the tool, or `tool` if the type is unknown.
 */
export const toolOwner = (kind: string, id: unknown, location: ParserLocation): Owner =>
  typeof id === "string" && id !== ""
    ? { kind: "tool", id, label: `the ${kind} ${show(id)}` }
    : { kind: "tool", id: null, label: `the ${kind} at ${location.pointer}` }
