import type { Diagnostic } from "./diagnostic.js"
import type { ConfigDocument, DocumentName } from "../document/config-document.js"
import { compareOrder, documentOrder } from "../document/document-order.js"
import { configLimits } from "../document/config-limits.js"

/**
 * A diagnostic without line and column, which are computed later. They are the position of the key
 * or the value at `pointer`, depending on `part` (default: `value`). If `part` is `none`, the
 * diagnostic gets no line and column.
 */
export interface DiagnosticDraft extends Diagnostic {
  readonly part?: "key" | "value" | "none"
  /**
   * The document that `pointer` refers to. A document that could not be read only has a name.
   * Diagnostics of compile options have no document.
   */
  readonly document?: ConfigDocument | DocumentName
}

/**
 * Collects the diagnostics of all phases of the compiler. It stores a limited number of them,
 * because a malicious config could cause millions.
 */
export interface Report {
  readonly add: (finding: DiagnosticDraft) => void
  readonly hasErrors: () => boolean
  /**
   * Returns the stored diagnostics: errors first, then warnings, then hints. Diagnostics of the
   * same severity are sorted by file and position in the config.
   */
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
      const all = sorted.map(({ finding }) => withPosition(finding))
      return more === 0 ? all : [...all, tooMany(more, left.error > 0 ? "error" : "warning")]
    },
  }
}

const rank = { error: 0, warning: 1, hint: 2 }

/**
 * Returns a function that computes the sort key of a diagnostic: the number of its document,
 * followed by its position in the document.
 */
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

function withPosition({ part = "value", document, ...diagnostic }: DiagnosticDraft): Diagnostic {
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
  message: `There are too many diagnostics to show: ${more} more diagnostics are hidden.`,
  fix: "Fix the listed problems and compile again.",
  pointer: "",
})
