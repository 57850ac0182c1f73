import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

// Writes the JSON Schemas that `agent-statecharts schema` prints. The build runs this after the command is built.
const folder = new URL("../dist/schema/", import.meta.url)
const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))
mkdirSync(folder, { recursive: true })
for (const name of [
  "graph-compose",
  "adk",
  "scenario",
  "policy",
  "eval-set",
  "eval-config",
  "schedules",
  "webhooks",
]) {
  const text = execFileSync(process.execPath, [command, "schema", name], { encoding: "utf8" })
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(JSON.parse(text))}\n`)
}
