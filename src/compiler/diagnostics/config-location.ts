import type { Diagnostic } from "./diagnostic.js"
import type { ConfigDocument } from "../document/config-document.js"
import { childPointer } from "../document/json-pointer.js"
import type { Naming } from "./naming.js"
import type { Report } from "./report.js"
import type { Suggest } from "./suggest.js"

/** The state that all messages about one config share. */
export interface MessageContext {
  readonly report: Report
  readonly suggest: Suggest
  readonly naming: Naming
}

/** The location of a value in a config, with everything that a message about the value needs. */
export interface ConfigLocation {
  readonly parser: MessageContext
  readonly document: ConfigDocument
  readonly owner: Owner
  /**
   * Path from the owner, in the spelling of the user: `httpConfig.headers.X-Tenant`. It is `""` for the owner itself.
   */
  readonly field: string
  /** JSON pointer in the document. */
  readonly pointer: string
}

/** What a field belongs to. Compile options stand in no config, so they have no pointer. */
export interface Owner {
  readonly kind: "agent" | "tool" | "workflow" | "options"
  readonly id: string | null
  /** As it stands in a sentence: `the LlmAgent "writer"`. */
  readonly label: string
}

/** Returns the location of a field of an object, or of an entry of a list. */
export const fieldOf = <Location extends ConfigLocation>(
  at: Location,
  key: string | number,
): Location => ({
  ...at,
  field:
    typeof key === "number" ? `${at.field}[${key}]` : at.field === "" ? key : `${at.field}.${key}`,
  pointer: childPointer(at.pointer, key),
})

export interface Problem {
  readonly code: Diagnostic["code"]
  /** Completes the sentence `"outputKey" of the LlmAgent "writer" ...`; no full stop. */
  readonly says: string
  readonly fix: string
  readonly severity?: Diagnostic["severity"]
  readonly part?: "key" | "value"
}

/** Reports what is wrong at a place, in the user's own names. Returns null: what a reader gives for a refused value. */
export function report(
  at: ConfigLocation,
  { code, says, fix, severity = "error", part = "value" }: Problem,
): null {
  const subject =
    at.field === "" ? capitalised(at.owner.label) : `"${at.field}" of ${at.owner.label}`
  at.parser.report.add({
    code,
    severity,
    message: `${subject} ${says}.`,
    fix,
    ...(at.owner.kind === "options"
      ? { pointer: "", part: "none" }
      : { pointer: at.pointer, part, document: at.document }),
    ...(at.owner.kind === "agent" && at.owner.id !== null && { agent: at.owner.id }),
    ...(at.owner.kind === "tool" && at.owner.id !== null && { tool: at.owner.id }),
    ...(at.field !== "" && { field: at.field }),
  })
  return null
}

/** ` at /agents/0 in first.yaml`: how a message about another place says where this one is. */
export const elsewhere = (
  { pointer, document: { file } }: ConfigLocation,
  from: ConfigLocation,
): string =>
  `${pointer === "" ? "" : ` at ${pointer}`}${file === null || file === from.document.file ? "" : ` in ${file}`}`

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
