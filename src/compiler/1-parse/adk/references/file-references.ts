import type { AgentConfig } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { filledText, objectOf } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { FollowedFile } from "../../files/open-files.js"
import { configLimits } from "../../../document/config-limits.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { report } from "../../../diagnostics/config-location.js"
import { describeValue } from "../../../diagnostics/show.js"

/**
 * The fields of a reference to an agent's file, such as `{config_path: team/writer.yaml}`. The
 * condition in `when` is only accepted here. It is parsed with the container that includes the
 * reference.
 */
const fileReference = fieldTable(
  "a reference to a file",
  {
    configPath: required(filledText, "Write the path of the agent's file."),
    when: optional(anything),
  },
  { synonyms: { path: "configPath", file: "configPath", agent: "configPath" } },
)

/**
 * Reads the agent in a referenced file, to use it as a sub-agent. Reports an error if the agent is
 * already the sub-agent of another agent. Problems are reported at the location `given`, or by
 * default at the field `configPath` of the reference.
 */
export function agentOfReference(
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
  given?: ParserLocation,
): AgentConfig | null {
  const read = readFields(object, fileReference, location)
  const written = read.values.configPath
  if (written === null) return null
  const pathAt = given ?? read.locationOf("configPath")
  const file = follow(written, pathAt)
  if (file === null) return null
  const agent = file.isRead ? file.agent : agentOfFile(file, pathAt)
  if (!file.hasParent || agent === null) {
    file.hasParent = true
    return agent
  }
  // The file already has a parent agent. Loading the file again would create a second agent with
  // the same name.
  const { id } = agent
  return report(pathAt, {
    code: "duplicate_id",
    problem: `loads the file ${file.path} again: each use creates an agent with its own parent, so ${describeValue(id)} is a duplicate`,
    fix: `Copy ${file.path}, rename the agent in the copy, for example to ${describeValue(`${id}_2`)}, and refer to the copy here. Or run the agent with an AgentTool, which agents may share.`,
  })
}

/**
 * Reads the agent in a referenced file, to run it as the target of a tool. Several tools may run
 * the same agent. `first` is true for the first tool that refers to the file. Returns null if the
 * file or its agent is invalid.
 */
export function targetOfReference(
  written: string,
  pathAt: ParserLocation,
): { readonly agent: AgentConfig; readonly first: boolean } | null {
  const file = follow(written, pathAt)
  if (file === null) return null
  const first = !file.isRead
  const agent = first ? agentOfFile(file, pathAt) : file.agent
  return agent && { agent, first }
}

/**
 * Opens a referenced file. Reports an error and returns null if the file does not exist, closes a
 * cycle of references, or is nested too deeply.
 */
function follow(written: string, location: ParserLocation): FollowedFile | null {
  const { files } = location.parser
  if (files === null) {
    return report(location, {
      code: "missing_file",
      problem: `refers to the file ${describeValue(written)}, which is not available: this config was passed without its folder`,
      fix: "Compile the folder instead of the text, or write the definition of the agent here.",
    })
  }
  const file = files.follow(written, location)
  if (file === null) return null
  const around = location.parser.filesAround
  const start = around.indexOf(file.path)
  if (start !== -1) {
    return report(location, {
      code: "reference_cycle",
      problem: `makes a cycle: ${shortened([...around.slice(start), file.path]).join(" -> ")}`,
      fix: "Remove one of these references. To repeat agents, put them in a LoopAgent.",
    })
  }
  if (around.length > configLimits.agentDepth) {
    return report(location, {
      code: "nesting_too_deep",
      problem: `is in a file that is ${around.length} references away from the root`,
      fix: "Use fewer levels of files that refer to other files.",
    })
  }
  return file
}

const longestPath = 20

const shortened = (path: readonly string[]): readonly string[] =>
  path.length <= longestPath ? path : [...path.slice(0, longestPath / 2), "...", ...path.slice(-3)]

function agentOfFile(file: FollowedFile, { parser }: ParserLocation): AgentConfig | null {
  const { document, path } = file
  file.isRead = true
  if (document === null) return null
  const location: ParserLocation = {
    parser: { ...parser, filesAround: [...parser.filesAround, path] },
    document,
    owner: { kind: "workflow", id: null, label: `the file ${path}` },
    field: "",
    pointer: "",
  }
  const object = objectOf(document.value)
  // A file may name its JSON Schema in `$schema`, which is not a field of agents.
  const { $schema: _, ...fields } = object ?? {}
  const agent = parser.readAgent(object === null ? document.value : fields, location)
  file.agent = agent
  if (agent !== null && (object?.["when"] ?? null) !== null) {
    const problem = "has no effect: the condition belongs to the reference to this file"
    report(agent.fieldAt("when"), {
      code: "no_effect",
      severity: "warning",
      problem,
      fix: 'Move "when" next to config_path.',
      part: "key",
    })
  }
  return agent
}
