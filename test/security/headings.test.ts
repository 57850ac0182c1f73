import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { projectFolder } from "../docs/markdown-blocks.js"

const page = readFileSync(join(projectFolder, "docs", "security.md"), "utf8")

/** Each third-level heading describes one threat. The text of its section links to the tests. */
const threats = page
  .split(/^(?=#{2,3} )/m)
  .filter((section) => section.startsWith("### "))
  .map((section) => ({
    heading: /^### (.+)$/m.exec(section)?.[1] ?? "",
    tests: [...section.matchAll(/\]\(\.\.\/(test\/[^)#]+\.test\.ts)\)/g)].map(
      ([, path = ""]) => path,
    ),
  }))

describe("docs/security.md", () => {
  test("has each heading once", () => {
    const headings = threats.map(({ heading }) => heading)
    expect(headings.length).toBeGreaterThan(25)
    expect(new Set(headings).size).toBe(headings.length)
  })

  test.each(threats)("links the section '$heading' to its tests", ({ tests }) => {
    expect(tests).not.toEqual([])
    expect(tests.filter((file) => !existsSync(join(projectFolder, file)))).toEqual([])
  })

  test("links to every file of test/security", () => {
    const linked = new Set(threats.flatMap(({ tests }) => tests))
    const files = readdirSync(join(projectFolder, "test", "security"))
      .filter((file) => file.endsWith(".test.ts") && file !== "headings.test.ts")
      .map((file) => `test/security/${file}`)
    expect(files.filter((file) => !linked.has(file))).toEqual([])
  })
})
