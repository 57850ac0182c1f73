import type { Diagnostic } from "./diagnostic.js"
import type { ConfigDocument, DocumentName } from "../document/config-document.js"
import { compareOrder, documentOrder } from "../document/document-order.js"
import { configLimits } from "../document/config-limits.js"

/** A diagnostic before it has got its place in the text. `part` is what the pointer means; "none" has no place there. */
export interface DiagnosticDraft extends Diagnostic {
  readonly part?: "key" | "value" | "none"
  /** What the pointer leads into. A document that could not be read has a name only; compile options stand in none. */
  readonly document?: ConfigDocument | DocumentName
}

/** Collects what all phases find. Keeps everything in the order it was found, up to a limit that hostile configs meet. */
export interface Report {
  readonly add: (finding: DiagnosticDraft) => void
  readonly hasErrors: () => boolean
  /** Errors first, then warnings, then hints; each file by file in the order of the config. */
  readonly diagnostics: () => readonly Diagnostic[]
}

export function createReport(): Report {
  const findings: DiagnosticDraft[] = []
  const left = { error: 0, warning: 0, hint: 0 }
  let errors = 0
  return {
    add(finding) {
      if (finding.severity === "error") errors++
      if (findings.length < configLimits.diagnostics) findings.push(finding)
      else left[finding.severity]++
    },
    hasErrors: () => errors > 0,
    diagnostics() {
      const orderOf = orderIn(findings)
      const sorted = findings
        .map((finding) => ({ finding, order: orderOf(finding) }))
        .sort(
          (one, other) =>
            rank[one.finding.severity] - rank[other.finding.severity] ||
            compareOrder(one.order, other.order),
        )
      const more = left.error + left.warning + left.hint
      const all = sorted.map(({ finding }) => inPlace(finding))
      return more === 0 ? all : [...all, tooMany(more, left.error > 0 ? "error" : "warning")]
    },
  }
}

const rank = { error: 0, warning: 1, hint: 2 }

/** Documents in the order of their ordinals, and in each the order of its text. */
function orderIn(
  findings: readonly DiagnosticDraft[],
): (finding: DiagnosticDraft) => readonly number[] {
  const orders = new Map<number, ReturnType<typeof documentOrder>>()
  for (const { document } of findings) {
    if (document !== undefined && "value" in document && !orders.has(document.ordinal))
      orders.set(document.ordinal, documentOrder(document.value))
  }
  return ({ document, pointer }) =>
    document === undefined
      ? [0]
      : [document.ordinal, ...(orders.get(document.ordinal)?.(pointer) ?? [])]
}

function inPlace({ part = "value", document, ...diagnostic }: DiagnosticDraft): Diagnostic {
  const known =
    diagnostic.line !== undefined ||
    part === "none" ||
    document === undefined ||
    !("locate" in document)
  const file = document?.file ?? null
  return {
    ...diagnostic,
    ...(file !== null && { file }),
    ...(known ? undefined : document.locate(diagnostic.pointer, part)),
  }
}

const tooMany = (more: number, severity: "error" | "warning"): Diagnostic => ({
  code: "too_many_diagnostics",
  severity,
  message: `There are too many diagnostics: ${more} are not shown.`,
  fix: "Fix the listed problems and compile again.",
  pointer: "",
})
