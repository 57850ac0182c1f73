import { mkdirSync, writeFileSync } from "node:fs"
import { configSchema } from "../dist/compiler/index.js"

// Writes the JSON Schema of each dialect. The build runs this after the compiler is built.
const folder = new URL("../dist/schema/", import.meta.url)
mkdirSync(folder, { recursive: true })
for (const dialect of ["graph-compose", "adk"]) {
  const text = `${JSON.stringify(configSchema(dialect))}\n`
  writeFileSync(new URL(`${dialect}.schema.json`, folder), text)
}
