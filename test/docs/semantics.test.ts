import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { anchorsOf, projectFolder } from "./markdown-blocks.js"

const page = "docs/semantics.md"
const anchors = new Set(anchorsOf(page))

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(projectFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|tsx|mjs|json)$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file))

/** Every mention of the page, as `file#anchor`. The anchor is empty if the mention has none. */
const citationsIn = (folder: string): readonly string[] =>
  filesOf(folder).flatMap((file) =>
    [
      ...readFileSync(join(projectFolder, file), "utf8").matchAll(
        /docs\/semantics\.md(?:#([\w-]*))?/g,
      ),
    ].map(([, anchor = ""]) => `${file}#${anchor}`),
  )

const anchorOf = (citation: string): string => citation.slice(citation.indexOf("#") + 1)

test.each([
  ["comment in src/", "src"],
  ["conformance vector", "test/conformance/vectors"],
])("every %s that cites docs/semantics.md names an existing heading", (_, folder) => {
  const citations = citationsIn(folder)
  expect(citations.length).toBeGreaterThan(50)
  expect(citations.filter((citation) => !anchors.has(anchorOf(citation)))).toEqual([])
})

describe("docs/semantics.md", () => {
  const text = readFileSync(join(projectFolder, page), "utf8")
  const sections = text.split(/^## /m).slice(1)

  test("links each section to the tests that check it", () => {
    for (const section of sections) expect(section).toMatch(/^Tests: \[[^\]]+\]\(\.\.\/test\//m)
  })

  test("links to every folder of conformance vectors", () => {
    const themes = readdirSync(join(projectFolder, "test/conformance/vectors"))
    expect(
      themes.filter((theme) => !text.includes(`(../test/conformance/vectors/${theme})`)),
    ).toEqual([])
  })
})
