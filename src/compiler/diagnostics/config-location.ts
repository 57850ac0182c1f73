import type { Diagnostic } from "./diagnostic.js"
import type { ConfigDocument } from "../document/config-document.js"
import { childPointer } from "../document/json-pointer.js"
import type { Naming } from "./naming.js"
import type { Report } from "./report.js"
import type { Suggest } from "../../machines/data/suggest.js"

/**
 * The objects that all messages about one config share, such as the report that collects the
 * diagnostics.
 */
export interface MessageContext {
  readonly report: Report
  readonly suggest: Suggest
  readonly naming: Naming
}

/** The location of a value in a config, with the data that messages about the value need. */
export interface ConfigLocation {
  readonly parser: MessageContext
  readonly document: ConfigDocument
  readonly owner: Owner
  /**
   * Path of the value inside its owner, which is the agent, tool or workflow that contains the
   * value. The path has the field names that the user writes, such as
   * `httpConfig.headers.X-Tenant`. If it is empty, the value is the owner itself.
   */
  readonly field: string
  /** JSON pointer to the value in the document, such as `/agents/0/tools`. */
  readonly pointer: string
}

/**
 * The agent, tool or workflow that contains a field. Compile options have an owner of the kind
 * `options`, which has no position in the config.
 */
export interface Owner {
  readonly kind: "agent" | "tool" | "workflow" | "options"
  readonly id: string | null
  /** Name of the owner in a sentence, such as `the LlmAgent "writer"`. */
  readonly label: string
}

/**
 * Returns the location of a field of an object, or of an entry of a list. `location` is the
 * location of the object or list.
 */
export const fieldOf = <Location extends ConfigLocation>(
  location: Location,
  key: string | number,
): Location => ({
  ...location,
  field:
    typeof key === "number"
      ? `${location.field}[${key}]`
      : location.field === ""
        ? key
        : `${location.field}.${key}`,
  pointer: childPointer(location.pointer, key),
})

export interface Problem {
  readonly code: Diagnostic["code"]
  /**
   * The end of the message, without a full stop. The message starts with the name of the field,
   * such as `"outputKey" of the LlmAgent "writer"`.
   */
  readonly problem: string
  readonly fix: string
  readonly severity?: Diagnostic["severity"]
  readonly part?: "key" | "value"
}

/**
 * Reports a problem at a location in the config, with the field names that the user writes. Always
 * returns null, so that parsers can return the result for an invalid value.
 */
export function report(
  location: ConfigLocation,
  { code, problem, fix, severity = "error", part = "value" }: Problem,
): null {
  const subject =
    location.field === ""
      ? capitalised(location.owner.label)
      : `"${location.field}" of ${location.owner.label}`
  location.parser.report.add({
    code,
    severity,
    message: `${subject} ${problem}.`,
    fix,
    ...(location.owner.kind === "options"
      ? { pointer: "", part: "none" }
      : { pointer: location.pointer, part, document: location.document }),
    ...(location.owner.kind === "agent" &&
      location.owner.id !== null && { agent: location.owner.id }),
    ...(location.owner.kind === "tool" &&
      location.owner.id !== null && { tool: location.owner.id }),
    ...(location.field !== "" && { field: location.field }),
  })
  return null
}

/**
 * Returns a text that refers to another location in a message about `from`, such as
 * ` at /agents/0 in first.yaml`. The file is omitted if both locations are in the same file.
 */
export const elsewhere = (
  { pointer, document: { file } }: ConfigLocation,
  from: ConfigLocation,
): string =>
  `${pointer === "" ? "" : ` at ${pointer}`}${file === null || file === from.document.file ? "" : ` in ${file}`}`

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
