import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { foldDiagnostics } from "../../compiler/diagnostics/fold-diagnostics.js"
import { join } from "node:path"
import { problemText } from "../../machines/data/problem-text.js"
import type { Paint } from "../terminal/paint.js"
import type { ConfigSource } from "../files/read-source.js"

/** The name of a config in messages, and the base folder of its file paths. */
type ConfigName = Pick<ConfigSource, "name" | "folder">

/** Formats a diagnostic with the path of its file, relative to the working folder. */
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
 * Formats diagnostics, each followed by an empty line. Combines equal diagnostics, and names the
 * command that lists all of them.
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
