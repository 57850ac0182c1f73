import { readdirSync, readFileSync, statSync } from "node:fs"
import { extname, join, relative, sep } from "node:path"

/**
 * Limits of the search for workflow files: maximum depth of folders, number of files, and file size
 * in bytes.
 */
const most = { depth: 5, files: 2_000, bytes: 1024 * 1024 }

const passedOver = new Set(["node_modules", "dist", "build", "coverage"])

/**
 * Matches JSON text with keys that occur only in workflow configs. The JSON of compiled charts must
 * not match, because a chart is usually in the same folder as its config and would be listed twice.
 */
const looksLikeJson =
  /"(rootAgentId|subAgents|sub_agents|agent_class|agentClass|instruction)"\s*:|"agents"\s*:\s*\[/
const looksCompiled = /"formatVersion"\s*:/
const looksLikeYaml = /^(agent_class|name|sub_agents|instruction|edges)\s*:/m

/**
 * Finds the workflow configs (JSON or YAML files) in a folder and its subfolders. Returns their
 * relative paths with slashes, sorted by name.
 */
export function findWorkflows(folder: string): readonly string[] {
  const found: string[] = []
  const visit = (current: string, depth: number): void => {
    for (const entry of readdirSync(current, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    )) {
      if (entry.name.startsWith(".") || passedOver.has(entry.name) || found.length >= most.files)
        continue
      const path = join(current, entry.name)
      if (entry.isDirectory() && depth < most.depth) visit(path, depth + 1)
      else if (entry.isFile() && isWorkflow(path))
        found.push(relative(folder, path).split(sep).join("/"))
    }
  }
  visit(folder, 0)
  return found
}

function isWorkflow(path: string): boolean {
  const ending = extname(path).toLowerCase()
  if (ending !== ".json" && ending !== ".yaml" && ending !== ".yml") return false
  if (statSync(path).size > most.bytes) return false
  const text = readFileSync(path, "utf8")
  return ending === ".json"
    ? looksLikeJson.test(text) && !looksCompiled.test(text)
    : looksLikeYaml.test(text)
}
