// Writes what the compiler makes of each example: chart.json, drawing.mmd and the picture in its README.
// Run it after `npm run build` when the compiler changes on purpose, and read the difference before you commit it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { compile } from "../dist/compiler/index.js"
import { drawMermaid } from "../dist/drawing/index.js"

const here = new URL("./", import.meta.url)
const folders = readdirSync(here).filter((name) => existsSync(new URL(`${name}/workflow.json`, here)))

for (const folder of folders) {
  const at = (name) => new URL(`${folder}/${name}`, here)
  const { chart, diagnostics } = compile(readFileSync(at("workflow.json"), "utf8"), { file: `${folder}/workflow.json` })
  if (chart === null) throw new Error(diagnostics.map(({ message, cure }) => `${message} ${cure}`).join("\n"))
  const drawing = drawMermaid(chart).trimEnd()
  writeFileSync(at("chart.json"), `${JSON.stringify(chart, null, 2)}\n`)
  writeFileSync(at("drawing.mmd"), `${drawing}\n`)
  const readme = readFileSync(at("README.md"), "utf8")
  writeFileSync(at("README.md"), readme.replace(/```mermaid\n[^]*?```/, () => `\`\`\`mermaid\n${drawing}\n\`\`\``))
}
