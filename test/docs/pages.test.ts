import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { projectFolder } from "./markdown-blocks.js"

const read = (file: string): string => readFileSync(join(projectFolder, file), "utf8")
const readme = read("README.md")
const docs = readdirSync(join(projectFolder, "docs"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/${file}`)
const manifest = JSON.parse(read("package.json")) as {
  readonly exports: object
  readonly name: string
  readonly scripts: Readonly<Record<string, string>>
}

/** Returns the pages that a page links to. A link to the folder of an example counts as a link to its README. */
const linkedFrom = (page: string): readonly string[] =>
  [
    ...read(page)
      .replace(/```[^]*?```/g, "")
      .matchAll(/\]\(([^)\s#]+)[^)]*\)/g),
  ]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => join(dirname(page), link, link.endsWith("/") ? "README.md" : ""))
    .filter((file) => file.endsWith(".md") && existsSync(join(projectFolder, file)))

test("every page can be reached from the README through links", () => {
  const reached = new Set(["README.md"])
  for (const page of reached) for (const next of linkedFrom(page)) reached.add(next)
  const examples = readdirSync(join(projectFolder, "examples"), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `examples/${file}`)
  expect(
    [...docs, ...examples, "CONTRIBUTING.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES.md"].filter(
      (page) => !reached.has(page),
    ),
  ).toEqual([])
})

describe("pages for all features, entry points and commands", () => {
  const bullets = (/## What you get\n([^]*?)\n## /.exec(readme)?.[1] ?? "").split(/^- /m).slice(1)

  test("each feature in the README links to a page", () => {
    expect(bullets.length).toBeGreaterThan(3)
    for (const bullet of bullets) expect(bullet).toMatch(/\]\((docs|test\/conformance)\/[\w-]+\.md/)
  })

  test("each entry point of the package occurs in a page of the docs", () => {
    const entries = Object.keys(manifest.exports)
      .filter((entry) => entry !== "./package.json")
      .map((entry) => manifest.name + entry.slice(1))
    const text = docs.map(read).join("\n")
    expect(entries.filter((entry) => !new RegExp(`["\`]${entry}["\`]`).test(text))).toEqual([])
  })

  test("docs/imports.md lists the commands that docs/command-line.md describes", () => {
    const row = /^## Commands\n([^]*)/m.exec(read("docs/imports.md"))?.[1] ?? ""

    const named = [...row.matchAll(/^The subcommands are [^\n]*$/gm)]
      .flatMap(([line]) => [...line.matchAll(/`([\w-]+)`/g)])
      .map(([, name = ""]) => name)
    const documented = [...read("docs/command-line.md").matchAll(/^### ([a-z][\w-]*)/gm)].map(
      ([, name = ""]) => name,
    )
    expect([...named].sort()).toEqual([...new Set(documented)].sort())
  })
})

describe("CONTRIBUTING.md", () => {
  const text = read("CONTRIBUTING.md")
  const rows = [...text.matchAll(/^\| `([\w./-]+)` \|/gm)].map(([, name = ""]) => name)
  const inside = (folder: string): readonly string[] =>
    readdirSync(join(projectFolder, folder), { withFileTypes: true }).map(
      (entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`,
    )

  test("lists all files and folders of src/, and no others", () => {
    expect(rows.filter((row) => row.startsWith("src/")).sort()).toEqual([...inside("src/")].sort())
  })

  test("lists every other folder of the repository", () => {
    const notOurs = ["node_modules/", "dist/", "src/"]
    const folders = readdirSync(projectFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${name}/`)
    const kept = folders.filter(
      (name) =>
        (name === ".ci/" || !name.startsWith(".")) &&
        !notOurs.includes(name) &&
        !ignored.includes(name),
    )
    expect(rows.filter((row) => !row.startsWith("src/")).sort()).toEqual(kept.sort())
  })

  test("names only files and folders that exist", () => {
    const named = [
      ...text.matchAll(/`((?:src|test|docs|bench|release|examples|engines)\/[\w./-]+)`/g),
    ].map(([, name = ""]) => name)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !existsSync(join(projectFolder, name)))).toEqual([])
  })

  test("names only scripts that exist, and every script that people run", () => {
    const named = [...text.matchAll(/npm (?:run )?(start|test|[\w:]+)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !["ci", "publish"].includes(name))
    expect([...new Set(named)].filter((name) => !(name in manifest.scripts))).toEqual([])
    expect(
      Object.keys(manifest.scripts).filter(
        (name) => !named.includes(name) && !["prepublishOnly", "release:check"].includes(name),
      ),
    ).toEqual([])
  })
})

/** The folders that .gitignore contains. */
const ignored = read(".gitignore")
  .split("\n")
  .filter((line) => /^[\w.-]+\/$/.test(line))
