import { posix } from "node:path"
import { parse as parseJson } from "jsonc-parser"
import { parse as parseYaml } from "yaml"
import { isJsonObject } from "../../machines/data/json-object.js"

/** The data about a workflow file that the list of workflows shows. */
export interface WorkflowDescription {
  readonly name: string
  readonly description: string | null
  /** Paths of the YAML files to which the config refers, for example in `config_path`. */
  readonly references: readonly string[]
}

/**
 * Returns the name, the description and the references of a workflow file. Also works if the file
 * has errors.
 */
export function describeWorkflow(path: string, text: string): WorkflowDescription {
  const config = parsed(path, text)
  if (!isJsonObject(config)) return { name: nameOfFile(path), description: null, references: [] }
  const rootAgent = config["rootAgentId"] ?? config["root_agent_id"]
  const agents: readonly unknown[] = Array.isArray(config["agents"]) ? config["agents"] : []
  const root = agents.filter(isJsonObject).find((agent) => agent["id"] === rootAgent)
  return {
    name: textOf(config["name"]) ?? textOf(rootAgent) ?? nameOfFile(path),
    description: textOf(config["description"]) ?? textOf(root?.["description"]),
    references: [...new Set(yamlFilesIn(config))].map((reference) =>
      posix.join(posix.dirname(path), reference),
    ),
  }
}

function parsed(path: string, text: string): unknown {
  if (!/\.ya?ml$/i.test(path)) return parseJson(text)
  try {
    return parseYaml(text, { logLevel: "error" })
  } catch {
    // The editor shows the errors of the file. The list only needs a name.
    return null
  }
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null

/**
 * Returns the name of a file without its extension. For a generic name such as `workflow.json`,
 * returns the name of the folder.
 */
function nameOfFile(path: string): string {
  const stem = posix.basename(path).replace(/\.[^.]+$/, "")
  const folder = posix.basename(posix.dirname(path))
  return /^(workflow|root_agent)$/.test(stem) && folder !== "" && folder !== "." ? folder : stem
}

/** Returns all string values in a config that look like the path of a YAML file. */
function yamlFilesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return /^[^\s:]+\.ya?ml$/i.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(yamlFilesIn)
  return isJsonObject(value) ? Object.values(value).flatMap(yamlFilesIn) : []
}
