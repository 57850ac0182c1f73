import type { Diagnostic } from "../diagnostics.js"
import type { ConfigDocument } from "./json/config-document.js"
import { configLimits } from "./limits.js"

/** A diagnostic before it has got its place in the text. `part` says whether the pointer means the key or the value. */
export interface Finding extends Diagnostic {
  readonly part?: "key" | "value"
}

/** Collects what all phases find. Keeps everything in the order it was found, up to a limit that hostile configs meet. */
export interface Report {
  readonly add: (finding: Finding) => void
  readonly hasErrors: () => boolean
  /** Errors first, then warnings, then hints. */
  readonly diagnostics: (document: ConfigDocument | null) => readonly Diagnostic[]
}

export function createReport(): Report {
  const findings: Finding[] = []
  const left = { error: 0, warning: 0, hint: 0 }
  let errors = 0
  return {
    add(finding) {
      if (finding.severity === "error") errors++
      if (findings.length < configLimits.diagnostics) findings.push(finding)
      else left[finding.severity]++
    },
    hasErrors: () => errors > 0,
    diagnostics(document) {
      const all = findings.map((finding) => inPlace(finding, document))
      const more = left.error + left.warning + left.hint
      if (more > 0) all.push(tooMany(more, left.error > 0 ? "error" : "warning"))
      const rank = { error: 0, warning: 1, hint: 2 }
      return all.sort((one, other) => rank[one.severity] - rank[other.severity])
    },
  }
}

function inPlace({ part = "value", ...diagnostic }: Finding, document: ConfigDocument | null): Diagnostic {
  const position = diagnostic.line === undefined ? document?.locate(diagnostic.pointer, part) : undefined
  return { ...diagnostic, ...position }
}

const tooMany = (more: number, severity: "error" | "warning"): Diagnostic => ({
  code: "too_many_diagnostics",
  severity,
  message: `There is more to say: ${more} diagnostics are left out.`,
  cure: "Solve those that are listed and compile again.",
  pointer: "",
})
