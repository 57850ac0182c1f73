import type { Owner } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"

/**
 * Returns an `Owner` that names a tool in messages about its fields, such as
 * `the HttpTool "search"`. `kind` is the type of the tool, or `tool` if the type is unknown.
 */
export const toolOwner = (kind: string, id: unknown, location: ParserLocation): Owner =>
  typeof id === "string" && id !== ""
    ? { kind: "tool", id, label: `the ${kind} ${describeValue(id)}` }
    : { kind: "tool", id: null, label: `the ${kind} at ${location.pointer}` }
