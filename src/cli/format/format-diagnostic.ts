import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { foldDiagnostics } from "../../compiler/diagnostics/fold-diagnostics.js"
import { join } from "node:path"
import { problemText } from "../../machines/data/problem-text.js"
import type { Paint } from "../terminal/paint.js"
import type { ConfigSource } from "../files/read-source.js"

/**
 * Name of a workflow config in messages, and the base folder of the file paths in its diagnostics.
 */
type ConfigName = Pick<ConfigSource, "name" | "folder">

/** Formats a compiler diagnostic. File paths are relative to the working folder. */
const diagnosticText = (
  diagnostic: Diagnostic,
  { name, folder }: ConfigName,
  paint: Paint,
): string =>
  problemText(
    diagnostic,
    diagnostic.file === undefined ? name : join(folder ?? "", diagnostic.file),
    paint,
  )

/**
 * Formats compiler diagnostics, each followed by an empty line. Combines similar diagnostics, and
 * names the command that lists all of them.
 */
export const diagnosticTexts = (
  diagnostics: readonly Diagnostic[],
  source: ConfigName,
  paint: Paint,
): readonly string[] =>
  foldDiagnostics(diagnostics).map(({ diagnostic, more }) => {
    const text = diagnosticText(diagnostic, source, paint)
    const rest = `… and ${more.length} more of the same kind. To list all, use check --json.`
    return more.length === 0 ? `${text}\n` : `${text}\n\n${paint.dim(rest)}\n`
  })
