import type { AgentConfig } from "../agent-config.js"
import { anything } from "../fields/data.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { filledText, objectOf } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { FollowedFile } from "../files/open-files.js"
import { configLimits } from "../limits.js"
import type { Place } from "../place.js"
import { report } from "../place.js"
import { show } from "../show.js"

/** `{config_path: team/writer.yaml}`; in a container with `when`, which is read where the reference stands. */
const fileReference = fieldTable(
  "a reference to a file",
  {
    configPath: required(filledText, "Write the path of the agent's file."),
    when: optional(anything),
  },
  { synonyms: { path: "configPath", file: "configPath", agent: "configPath" } },
)

/** Reads the agent of a file that is a sub-agent here: in ADK an agent has one place. `given`: where the path stands, if in no field. */
export function agentOfReference(
  object: Readonly<Record<string, unknown>>,
  at: Place,
  given?: Place,
): AgentConfig | null {
  const read = readFields(object, fileReference, at)
  const written = read.values.configPath
  if (written === null) return null
  const pathAt = given ?? read.at("configPath")
  const file = follow(written, pathAt)
  if (file === null) return null
  if (file.first) return agentOfFile(file, pathAt)
  const name = file.agent?.id ?? file.path
  return report(pathAt, {
    code: "second_parent",
    says: `gives ${show(name)} a second parent: the file ${file.path} is referred to already`,
    cure: "An agent of the adk dialect has one place: add a file with an agent of its own for this one.",
  })
}

/** Reads the agent of a file that a tool runs: several tools may run one agent. */
export function targetOfReference(
  written: string,
  pathAt: Place,
): { readonly agent: AgentConfig; readonly first: boolean } | null {
  const file = follow(written, pathAt)
  const agent = file === null ? null : file.first ? agentOfFile(file, pathAt) : file.agent
  return file && agent && { agent, first: file.first }
}

/** Null where there is nothing to follow or it would lead in a circle. */
function follow(written: string, at: Place): FollowedFile | null {
  const { files } = at.reading
  if (files === null) {
    return report(at, {
      code: "missing_file",
      says: `refers to the file ${show(written)}, which is not at hand: this config was given without a folder`,
      cure: "Compile the folder instead of its text, or write the agent right here.",
    })
  }
  const file = files.follow(written, at)
  if (file === null) return null
  const around = at.reading.filesAround
  const start = around.indexOf(file.path)
  if (start !== -1) {
    return report(at, {
      code: "reference_cycle",
      says: `makes a cycle: ${shortened([...around.slice(start), file.path]).join(" -> ")}`,
      cure: "Remove one of these references; to repeat agents, put them into a LoopAgent.",
    })
  }
  if (around.length > configLimits.agentDepth) {
    return report(at, {
      code: "nesting_too_deep",
      says: `stands in a file that is ${around.length} references away from the root`,
      cure: "Make the tree of agents flatter.",
    })
  }
  return file
}

const longestPath = 20

const shortened = (path: readonly string[]): readonly string[] =>
  path.length <= longestPath ? path : [...path.slice(0, longestPath / 2), "...", ...path.slice(-3)]

function agentOfFile(file: FollowedFile, { reading }: Place): AgentConfig | null {
  const { document, path } = file
  if (document === null) return null
  const at: Place = {
    reading: { ...reading, filesAround: [...reading.filesAround, path] },
    document,
    owner: { kind: "workflow", id: null, label: `the file ${path}` },
    field: "",
    pointer: "",
  }
  const agent = reading.readAgent(document.value, at)
  file.agent = agent
  const object = objectOf(document.value)
  if (agent !== null && (object?.["when"] ?? null) !== null) {
    const says = "has no effect: whether an agent is run is said where its file is referred to"
    report(agent.fieldAt("when"), {
      code: "no_effect",
      severity: "warning",
      says,
      cure: "Move it beside config_path.",
      part: "key",
    })
  }
  return agent
}
