import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { findingCodes } from "../../src/analysis/findings/finding.js"
import { diagnosticCodes } from "../../src/compiler/diagnostics/diagnostic.js"
import { errorCodes } from "../../src/errors.js"

const text = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")
const [errors = "", diagnostics = "", findings = ""] = text.split(/^# (?:Diagnostics|Findings)$/m)

/** Returns the paragraphs by code. The code is the heading of the paragraph. */
const paragraphsOf = (part: string): ReadonlyMap<string, string> =>
  new Map(
    [...part.matchAll(/^### (\S+)\n\n([^]*?)(?=\n##? |\n### |$(?![^]))/gm)].map(
      ([, code = "", paragraph = ""]) => [code, paragraph.trim()],
    ),
  )

describe.each([
  ["error", errorCodes, paragraphsOf(errors)],
  ["diagnostic", diagnosticCodes, paragraphsOf(diagnostics)],
  ["finding", findingCodes, paragraphsOf(findings)],
] as const)("the %s codes in docs/errors.md", (_, codes, paragraphs) => {
  test("docs/errors.md has one paragraph for each code, and no other paragraphs", () =>
    expect([...paragraphs.keys()].sort()).toEqual([...codes].sort()))

  test("every paragraph has more than 40 characters", () => {
    for (const [code, paragraph] of paragraphs) expect(paragraph.length, code).toBeGreaterThan(40)
  })
})

/** The fixed parts of texts in src/, without punctuation, each with three words or more. */
const fixedTexts = (): readonly string[] => {
  const src = new URL("../../src", import.meta.url).pathname
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => readFileSync(join(src, file), "utf8").split(/["'`},:;(]|\$\{/))
    .map((part) => part.trimEnd())
    .filter((part) => !part.includes("\n") && (part.match(/[\w-]+/g) ?? []).length >= 3)
}

test("docs/errors.md quotes messages that the source contains", () => {
  const quoted = [...text.matchAll(/A typical (?:error message|line) is `([^`]+)`/g)].map(
    ([, message = ""]) => message,
  )
  expect(quoted.length).toBeGreaterThan(15)
  const known = fixedTexts()
  expect(quoted.filter((message) => !known.some((part) => message.includes(part)))).toEqual([])
})
