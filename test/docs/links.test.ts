import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { anchorsOf, projectFolder } from "./markdown-blocks.js"

const files = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "THIRD-PARTY-LICENSES.md",
  "docs",
  "examples",
  "test/conformance",
].flatMap((name) =>
  name.endsWith(".md")
    ? [name]
    : readdirSync(join(projectFolder, name), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".md"))
        .map((file) => join(name, file)),
)

test.each(files)("every link in %s leads to an existing file and heading", (file) => {
  const text = readFileSync(join(projectFolder, file), "utf8").replace(/```[^]*?```/g, "")
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
  const lost = links.filter((link) => {
    const [path = "", anchor] = link.split("#")
    const target = path === "" ? file : join(dirname(file), path)
    if (!existsSync(join(projectFolder, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(lost).toEqual([])
})
