import type { Diagnostic } from "./diagnostic.js"

/**
 * A diagnostic that is shown. `more` contains the diagnostics of the same kind that are folded
 * below it.
 */
export interface FoldedDiagnostic {
  readonly diagnostic: Diagnostic
  readonly more: readonly Diagnostic[]
}

/** Number of diagnostics of one kind that are shown. */
const shownOfKind = 3

/**
 * Shows only the first diagnostics of each kind, in their order, so that many similar problems take
 * little space. The other diagnostics of the kind are folded below the last shown one. A single
 * remaining diagnostic is shown instead of folded.
 */
export function foldDiagnostics(diagnostics: readonly Diagnostic[]): readonly FoldedDiagnostic[] {
  const kinds = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const kind = kindOf(diagnostic)
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [diagnostic])
    else known.push(diagnostic)
  }
  const places = new Map<Diagnostic, readonly Diagnostic[]>()
  for (const all of kinds.values()) {
    const shown = all.length > shownOfKind + 1 ? all.slice(0, shownOfKind) : all
    const more = all.slice(shown.length)
    for (const diagnostic of shown) places.set(diagnostic, diagnostic === shown.at(-1) ? more : [])
  }
  return diagnostics.flatMap((diagnostic) => {
    const more = places.get(diagnostic)
    return more === undefined ? [] : [{ diagnostic, more }]
  })
}

/** Returns a key for all diagnostics whose texts only differ in names, values and numbers. */
const kindOf = ({ severity, code, message, fix }: Diagnostic): string =>
  [severity, code, message, fix].join("\n").replace(/"(?:[^"\\]|\\.)*"|\d+/g, "_")
