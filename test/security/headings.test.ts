import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { projectFolder } from "../docs/markdown-blocks.js"
import { provenElsewhere } from "./proven-elsewhere.js"

const read = (...path: readonly string[]): string =>
  readFileSync(join(projectFolder, ...path), "utf8")

/** Every heading of the third level is a claim. */
const claims = [...read("docs", "security.md").matchAll(/^### (.+)$/gm)].map(
  ([, heading = ""]) => heading,
)

/** Names of the outermost groups, and of tests that stand outside of one, in a file of tests. */
const outermost = (source: string): readonly string[] =>
  [...source.matchAll(/^(?:describe|test)\b[^"\n]*\(("(?:[^"\\]|\\.)*")/gm)].map(
    ([, name = '""']) => JSON.parse(name) as string,
  )

const here = readdirSync(join(projectFolder, "test", "security")).filter(
  (file) => file.endsWith(".test.ts") && file !== "headings.test.ts",
)
const proven = here.flatMap((file) => outermost(read("test", "security", file)))

describe("docs/security.md", () => {
  test("has claims, each once", () => {
    expect(claims.length).toBeGreaterThan(25)
    expect(new Set(claims).size).toBe(claims.length)
  })

  test("has a test for each of them", () =>
    expect(
      claims.filter((claim) => !proven.includes(claim) && !Object.hasOwn(provenElsewhere, claim)),
    ).toEqual([]))

  test.each(here)("has a heading for each group of %s", (file) => {
    const groups = outermost(read("test", "security", file))
    expect(groups).not.toEqual([])
    expect(groups.filter((group) => !claims.includes(group))).toEqual([])
  })

  test("has a heading for each test that stands elsewhere", () =>
    expect(Object.keys(provenElsewhere).filter((claim) => !claims.includes(claim))).toEqual([]))

  test.each(Object.entries(provenElsewhere))(
    "%s: its tests are where they are said to be",
    (_, tests) => {
      expect(tests.length).toBeGreaterThan(0)
      // As the first argument of a call: a mention in a comment is none.
      for (const [file, name] of tests)
        expect(read("test", file), file).toContain(`(${JSON.stringify(name)}, `)
    },
  )
})
