import type { ConfigDocument } from "../../document/config-document.js"
import { onlyDocument } from "../../document/config-document.js"
import type { ConfigFolder } from "./config-folder.js"
import { isConfigFolder } from "./config-folder.js"
import type { OpenFiles } from "./open-files.js"
import { openFiles } from "./open-files.js"
import { readObject } from "../json/read-object.js"
import { readText } from "../json/read-text.js"
import type { Report } from "../../diagnostics/report.js"
import { readYaml } from "../yaml/read-yaml.js"

export interface ReadSource {
  /** Null where it cannot be read; then the reason is reported. */
  readonly document: ConfigDocument | null
  /** Null where the config is no folder. */
  readonly files: OpenFiles | null
}

/** The forms in which a config is handed in: a folder, an object, and a text of JSON or YAML. */
export function readSource(source: string | object | ConfigFolder, report: Report): ReadSource {
  if (typeof source === "string")
    return {
      document: (isYaml(source) ? readYaml : readText)(source, onlyDocument, report),
      files: null,
    }
  if (!isConfigFolder(source)) return { document: readObject(source, report), files: null }
  const files = openFiles(source, report)
  return { document: files.root(), files }
}

/**
 * JSON begins with a bracket, YAML with a comment, a line of dashes or a field. All else is told what is wrong with it as JSON.
 * Only the beginning is looked at, so that no text is expensive.
 */
const isYaml = (text: string): boolean =>
  /^\uFEFF?(?:[ \t]*\r?\n)*(?:%YAML|---|#|[ \t]*(?:[A-Za-z_][\w.-]{0,80}|"[^"\n]{0,80}"|'[^'\n]{0,80}')[ \t]*:(?:\s|$))/.test(
    text.slice(0, 10_000),
  )
