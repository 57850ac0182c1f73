import type { Diagnostic } from "./diagnostic.js"

/**
 * A diagnostic that is shown to the user. `more` contains the hidden diagnostics of the same kind.
 */
export interface FoldedDiagnostic {
  readonly diagnostic: Diagnostic
  readonly more: readonly Diagnostic[]
}

/**
 * Maximum number of shown diagnostics of one kind. If there are exactly four, all four are shown.
 */
const shownOfKind = 3

/**
 * Hides diagnostics if there are many of the same kind, so that they take little space. The first
 * three diagnostics of each kind are shown, in their order. The others are attached to the last
 * shown diagnostic as `more`. If only one would be hidden, it is shown too.
 */
export function foldDiagnostics(diagnostics: readonly Diagnostic[]): readonly FoldedDiagnostic[] {
  const kinds = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const kind = kindOf(diagnostic)
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [diagnostic])
    else known.push(diagnostic)
  }
  const folded = new Map<Diagnostic, readonly Diagnostic[]>()
  for (const all of kinds.values()) {
    const shown = all.length > shownOfKind + 1 ? all.slice(0, shownOfKind) : all
    const more = all.slice(shown.length)
    for (const diagnostic of shown) folded.set(diagnostic, diagnostic === shown.at(-1) ? more : [])
  }
  return diagnostics.flatMap((diagnostic) => {
    const more = folded.get(diagnostic)
    return more === undefined ? [] : [{ diagnostic, more }]
  })
}

/**
 * Returns a key for the kind of a diagnostic. Diagnostics whose texts only differ in quoted names,
 * values and numbers have the same key.
 */
const kindOf = ({ severity, code, message, fix }: Diagnostic): string =>
  [severity, code, message, fix].join("\n").replace(/"(?:[^"\\]|\\.)*"|\d+/g, "_")
