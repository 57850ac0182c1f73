import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { join } from "node:path"
import { problemText } from "../../machines/data/problem-text.js"
import type { Paint } from "../terminal/paint.js"
import type { ConfigSource } from "../files/read-source.js"

/** The name of a config in messages, and the base folder of its file paths. */
type ConfigName = Pick<ConfigSource, "name" | "folder">

/** Formats a diagnostic with the path of its file, relative to the working folder. */
export const diagnosticText = (
  diagnostic: Diagnostic,
  { name, folder }: ConfigName,
  paint: Paint,
): string =>
  problemText(
    diagnostic,
    diagnostic.file === undefined ? name : join(folder ?? "", diagnostic.file),
    paint,
  )
