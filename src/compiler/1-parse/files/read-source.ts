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
  /** The parsed document. Null if it cannot be read, which is already reported. */
  readonly document: ConfigDocument | null
  /** The other files of the config. Null if the config is not a folder. */
  readonly files: OpenFiles | null
}

/** Reads a config from its source: a folder, an object, or text in JSON or YAML. */
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
 * Returns whether a text is YAML, which is the case if it starts with a comment, a line of dashes
 * or a field. All other texts are parsed as JSON, and the JSON parser reports the errors. Only the
 * beginning of the text is examined.
 */
const isYaml = (text: string): boolean =>
  /^\uFEFF?(?:[ \t]*\r?\n)*(?:%YAML|---|#|[ \t]*(?:[A-Za-z_][\w.-]{0,80}|"[^"\n]{0,80}"|'[^'\n]{0,80}')[ \t]*:(?:\s|$))/.test(
    text.slice(0, 10_000),
  )
