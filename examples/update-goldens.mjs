// Writes what the compiler makes of each example: chart.json, drawing.mmd and the picture in its README, and drawing.svg where there is one;
// the certificate of its faults; and the picture in the README of the project. Run it after `npm run build` when the compiler or the drawing changes on purpose, and read the
// difference before you commit it.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compile } from "agent-statecharts"
import { openFolder } from "agent-statecharts/adapters/files"
import { drawMermaid, drawSvg } from "agent-statecharts/drawing"

const here = new URL("./", import.meta.url)
const picture = /```mermaid\n[^]*?```/

const draw = (chart) => drawMermaid(chart).trimEnd()

function replacePicture(readme, drawing) {
  const text = readFileSync(readme, "utf8")
  writeFileSync(
    readme,
    text.replace(picture, () => `\`\`\`mermaid\n${drawing}\n\`\`\``),
  )
}

for (const folder of readdirSync(here).filter((name) =>
  existsSync(new URL(`${name}/scenario.json`, here)),
)) {
  const at = (name) => new URL(`${folder}/${name}`, here)
  const isYaml = existsSync(at("root_agent.yaml"))
  const { chart, diagnostics } = isYaml
    ? compile(openFolder(fileURLToPath(at(""))))
    : compile(readFileSync(at("workflow.json"), "utf8"), {
        file: `${folder}/workflow.json`,
        folder: openFolder(fileURLToPath(at("workflow.json"))),
      })
  if (chart === null)
    throw new Error(diagnostics.map(({ message, fix }) => `${message} ${fix}`).join("\n"))
  writeFileSync(at("chart.json"), `${JSON.stringify(chart, null, 2)}\n`)
  writeFileSync(at("drawing.mmd"), `${draw(chart)}\n`)
  replacePicture(at("README.md"), draw(chart))
  if (existsSync(at("drawing.svg"))) writeFileSync(at("drawing.svg"), await drawSvg(chart))
  // Certificates do not include called workflows, so the called workflows are certified instead.
  // Workflows with remote agents have no certificate.
  const called = Object.keys(chart.workflows ?? {}).map((file) =>
    file.replace(/^\.\/|\.json$/g, ""),
  )
  const isRemote = Object.values(chart.agents).some(({ remote }) => remote !== undefined)
  if (called.length === 0 && !isRemote) certify(folder, isYaml ? "" : "/workflow.json", "faults")
  for (const name of called) certify(folder, `/${name}.json`, name)
}

/** Writes the certificate of `faults` for a workflow of an example. */
function certify(folder, workflow, name) {
  const files = {
    "--scripted": "scenario.json",
    "--answers": "answers.json",
    "--services": "services.mjs",
  }
  const options = Object.entries(files).flatMap(([option, file]) =>
    existsSync(new URL(`${folder}/${file}`, here)) ? [option, `examples/${folder}/${file}`] : [],
  )
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "dist/cli/main.js",
      "faults",
      `examples/${folder}${workflow}`,
      ...options,
      "-o",
      `examples/${folder}/${name}.certificate.json`,
    ],
    { encoding: "utf8", cwd: fileURLToPath(new URL("../", here)) },
  )
  if (status !== 0) throw new Error(`${folder} does not survive every fault:\n${stdout}${stderr}`)
}

// The program in the README makes a `chart`; it is asked for it.
const readme = new URL("../README.md", here)
const [, program] = /```js\n([^]*?)```/.exec(readFileSync(readme, "utf8"))
const asking = `${program}\nprocess.stdout.write("\\n" + JSON.stringify(chart))`
const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-"], {
  input: asking,
  encoding: "utf8",
  cwd: fileURLToPath(new URL("../", here)),
})
replacePicture(readme, draw(JSON.parse(stdout.slice(stdout.lastIndexOf("\n") + 1))))
