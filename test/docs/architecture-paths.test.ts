import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { projectFolder } from "./markdown-blocks.js"

const page = readFileSync(join(projectFolder, "docs/architecture.md"), "utf8").replace(
  /```[^]*?```/g,
  "",
)
const inCode = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text)
const sources = readdirSync(join(projectFolder, "src"), { recursive: true, encoding: "utf8" }).map(
  (file) => `/src/${file}`,
)

/** The rows of the section's tables: task, first file, other files. */
const tasks = (/^## Where to change what\n([^]*?)^## /m.exec(page)?.[1] ?? "")
  .split("\n")
  .filter((line) => /^\| (?!Task|---)/.test(line))

describe("docs/architecture.md", () => {
  test("names only files and folders that exist", () => {
    const paths = inCode.filter((text) =>
      /^(?:src|test|bench|examples|release)\/[\w./-]+$/.test(text),
    )
    expect(paths.length).toBeGreaterThan(100)
    expect(paths.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([])
  })

  test("names source files by a path or by the end of a path", () => {
    const names = inCode.filter((text) => /^[\w./-]+\.tsx?$/.test(text))
    const isEndOfSource = (name: string): boolean =>
      sources.some((file) => file.endsWith(`/${name}`))
    expect(
      names.filter((name) => !isEndOfSource(name) && !existsSync(join(projectFolder, name))),
    ).toEqual([])
  })

  test("lists for each task a file or folder to start with", () => {
    expect(tasks.length).toBeGreaterThan(30)
    const first = tasks.map((row) => row.split(" | ")[1] ?? "")
    expect(first.filter((cell) => !/`[\w./-]+[./][\w/-]+`/.test(cell))).toEqual([])
  })
})
