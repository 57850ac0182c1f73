// npm run release:check: says what keeps this version from being released, and fails if there is anything. `npm publish` asks it first.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { unready } from "./unready.mjs"

const read = (name) => readFileSync(name, "utf8")
const changedFiles = execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" })
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => line.slice(3))
const manifest = JSON.parse(read("package.json"))
const problems = unready({ manifest, changelog: read("CHANGELOG.md"), changedFiles })

if (problems.length === 0) console.log(`${manifest.name} ${manifest.version} can be released.`)
else
  console.error(
    `${manifest.name} ${manifest.version} cannot be released yet:\n${problems.map((problem) => `- ${problem}`).join("\n")}\ndocs/releasing.md tells the way.`,
  )
process.exitCode = problems.length === 0 ? 0 : 1
