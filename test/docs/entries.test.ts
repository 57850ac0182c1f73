import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { projectFolder } from "./markdown-blocks.js"

const read = (file: string): string => readFileSync(join(projectFolder, file), "utf8")

test("docs/imports.md lists every entry point of the package", () => {
  const { exports, name } = JSON.parse(read("package.json")) as {
    readonly name: string
    readonly exports: object
  }
  const offered = Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .map((entry) => name + entry.slice(1))
  const listed = [...read("docs/imports.md").matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, entry]) => entry,
  )
  expect(listed.sort()).toEqual(offered.sort())
})
