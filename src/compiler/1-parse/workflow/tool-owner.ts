import type { Owner } from "../../diagnostics/config-location.js"
import { show } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"

/**
 * Returns the owner that messages about a tool's fields name. `kind` is the type of the tool, or
 * `tool` if the type is unknown.
 */
export const toolOwner = (kind: string, id: unknown, at: ParserLocation): Owner =>
  typeof id === "string" && id !== ""
    ? { kind: "tool", id, label: `the ${kind} ${show(id)}` }
    : { kind: "tool", id: null, label: `the ${kind} at ${at.pointer}` }
