import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import type { ReadResult } from "../../src/compiler/read-workflow.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import type { Diagnostic } from "../../src/compiler/diagnostics/diagnostic.js"
import { withServices } from "../conformance/stand-ins.mjs"

const folder = fileURLToPath(new URL("../conformance/vectors/", import.meta.url))

interface Vector {
  readonly id: string
  readonly title: string
  readonly dialect: string
  readonly config: object
  readonly detectDialect?: boolean
  readonly options?: { readonly node?: string }
  readonly expect: {
    readonly status: string
    readonly errorContains?: readonly string[]
    readonly warningsContain?: readonly (readonly string[])[]
    readonly warningsAbsent?: string | readonly string[]
    readonly noWarnings?: boolean
  }
}

// A copy of the project may not contain the vectors. Then these tests are skipped.
const themes = existsSync(folder) ? readdirSync(folder) : []
const vectors = themes
  .filter((theme) => statSync(join(folder, theme)).isDirectory())
  .flatMap((theme) => readdirSync(join(folder, theme)).map((name) => join(folder, theme, name)))
  .filter((file) => file.endsWith(".json"))
  .map((file): Vector => JSON.parse(readFileSync(file, "utf8")))
  .map((vector) => ({ ...vector, ...withServices(vector, []) }))

const said = ({ message, fix }: Diagnostic) => `${message}\n${fix}`

function containsAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.toLowerCase().includes(part.toLowerCase()))
}

const adkVectors = vectors.filter(({ dialect }) => dialect === "adk")

describe.skipIf(vectors.length === 0).each([
  ["as an object", (config: object) => config],
  ["as text", (config: object) => JSON.stringify(config, null, 2)],
])("conformance configs, %s", (_, given) => {
  test.each(
    vectors
      .filter(({ dialect }) => dialect === "graph-compose")
      .map((vector) => [vector.id, vector] as const),
  )("the diagnostics of the vector %s are as expected", (_, vector) => {
    const { options, config } = vector
    expectSaid(
      vector,
      readWorkflow(given(config), options?.node === undefined ? {} : { node: options.node }),
    )
  })

  test.each(adkVectors.map((vector) => [vector.id, vector] as const))(
    "the diagnostics of the vector %s are as expected",
    (_, vector) => {
      const read = readWorkflow(
        given(vector.config),
        vector.detectDialect === true ? {} : { dialect: "adk" },
      )
      const unsupported = read.diagnostics.filter(({ code }) => code === "dialect_unsupported")
      if (unsupported.length === 0) expectSaid(vector, read)
      else {
        // A feature that is not supported yet is reported once, and there are no other errors.
        expect(vector.expect.status).not.toBe("invalid")
        expect(read.diagnostics.filter(({ severity }) => severity === "error")).toEqual(unsupported)
        expect(unsupported.length).toBe(1)
        expect(read.workflow).toBeNull()
      }
    },
  )
})

function expectSaid({ expect: expected }: Vector, read: ReadResult): void {
  const { diagnostics } = read
  const workflow = read.workflow ?? read.graph
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  const warnings = diagnostics.filter(({ severity }) => severity !== "error")
  if (expected.status === "invalid") {
    expect(workflow).toBeNull()
    expect(errors.map(said).join("\n")).toSatisfy((text: string) =>
      containsAll(text, expected.errorContains ?? []),
    )
  } else {
    expect(errors).toEqual([])
    expect(workflow).not.toBeNull()
  }
  for (const parts of expected.warningsContain ?? []) {
    expect(warnings.map(said)).toSatisfy((texts: string[]) =>
      texts.some((text) => containsAll(text, parts)),
    )
  }
  for (const part of [expected.warningsAbsent ?? []].flat()) {
    expect(warnings.map(said).join("\n")).not.toContain(part)
  }
  if (expected.noWarnings === true) expect(diagnostics).toEqual([])
}

test.skipIf(vectors.length === 0)("configs of the adk dialect are recognized by their form", () => {
  const detected = adkVectors.filter(({ detectDialect }) => detectDialect === true)
  expect(detected.length).toBeGreaterThan(0)
  for (const { config } of detected) expect(readWorkflow(config).workflow?.dialect).toBe("adk")
})
