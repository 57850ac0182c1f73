import type { AgentConfig } from "../config/agent-config.js"
import type { ConfigDocument, DocumentName } from "../../document/config-document.js"
import { titleOf } from "../../document/config-document.js"
import { readText } from "../json/read-text.js"
import { configLimits } from "../../document/config-limits.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"
import { report } from "../../diagnostics/config-location.js"
import type { Report } from "../../diagnostics/report.js"
import { readYaml } from "../yaml/read-yaml.js"
import type { ConfigFolder, OpenedFile } from "./config-folder.js"
import { referencedPath, reportUnopened, whyNot } from "./referenced-file.js"

/** The opened files of a config folder. Each file is opened only once. */
export interface OpenFiles {
  readonly root: () => ConfigDocument | null
  /**
   * Opens the file that a `config_path` refers to. `written` is the path in the config. If the file
   * cannot be opened, reports an error and returns null.
   */
  readonly follow: (written: string, location: ConfigLocation) => FollowedFile | null
}

/** A file that the config refers to. */
export interface FollowedFile {
  readonly path: string
  /** The parsed file. Null if the file cannot be read, which is already reported. */
  readonly document: ConfigDocument | null
  /**
   * The agent in the file. The first reference parses the agent, and later references reuse it.
   * Null if no reference has parsed the agent yet, or if the agent is invalid.
   */
  agent: AgentConfig | null
  isRead: boolean
  /**
   * Whether the agent is already a sub-agent of another agent. False for an agent that only runs as
   * a tool.
   */
  hasParent: boolean
}

export function openFiles(folder: ConfigFolder, findings: Report): OpenFiles {
  const followed = new Map<string, FollowedFile>()
  let ordinal = 0
  let charactersLeft: number = configLimits.filesCharacters

  function read(
    path: string,
    opened: Extract<OpenedFile, { readonly text: string }>,
  ): ConfigDocument | null {
    const document: DocumentName = { file: path, ordinal: ordinal++ }
    charactersLeft -= opened.text.length
    return path.endsWith(".json")
      ? readText(opened.text, document, findings)
      : readYaml(opened.text, document, findings)
  }

  return {
    root() {
      const opened = folder.open(folder.root)
      if ("text" in opened) {
        const document = read(folder.root, opened)
        followed.set(folder.root, {
          path: folder.root,
          document,
          agent: null,
          isRead: true,
          hasParent: true,
        })
        return document
      }
      const document = { file: folder.root, ordinal: ordinal++ }
      const [code, problem] = whyNot(opened)
      findings.add({
        code,
        severity: "error",
        message: `${titleOf(document)} ${problem}.`,
        fix: "Pass a folder with a root_agent.yaml, or the file of the root agent.",
        pointer: "",
        document,
      })
      return null
    },
    follow(written, location) {
      const path = referencedPath(folder, written, location, "team/writer.yaml")
      if (path === null) return null
      const before = followed.get(path)
      if (before !== undefined) return before
      if (followed.size >= configLimits.files || charactersLeft <= 0) {
        const problem =
          followed.size >= configLimits.files
            ? `more than ${configLimits.files} files`
            : `more than ${configLimits.filesCharacters} characters`
        return report(location, {
          code: "config_too_large",
          problem: `makes the config larger than the limit: ${problem}`,
          fix: "Split the config into several workflows.",
        })
      }
      const opened = folder.open(path)
      if (!("text" in opened)) return reportUnopened(folder, written, path, opened, location)
      const document = read(path, opened)
      const use: FollowedFile = { path, document, agent: null, isRead: false, hasParent: false }
      followed.set(path, use)
      return use
    },
  }
}
