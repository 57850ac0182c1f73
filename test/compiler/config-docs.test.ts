import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { configLimits } from "../../src/compiler/document/config-limits.js"
import { folderOf } from "../../src/compiler/index.js"
import { diagnosticCodes } from "../../src/compiler/diagnostics/diagnostic.js"
import { errorCodes } from "../../src/errors.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"

const page = readFileSync(fileURLToPath(new URL("../../docs/config.md", import.meta.url)), "utf8")

test("the JSON configs in docs/config.md have no diagnostics", () => {
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? "")
  expect(examples.length).toBeGreaterThan(0)
  for (const text of examples) expect(readWorkflow(text).diagnostics).toEqual([])
})

test("the YAML folder in docs/config.md has no diagnostics and contains the agents of the JSON example", () => {
  const files = Object.fromEntries(
    [...page.matchAll(/```yaml\n# (\S+)\n(.*?)```/gs)].map(([, file = "", text = ""]) => [
      file,
      text,
    ]),
  )
  const { diagnostics, workflow } = readWorkflow(folderOf(files))
  expect(diagnostics).toEqual([])
  expect([...(workflow?.agents.keys() ?? [])]).toEqual([
    "pipeline",
    "drafting",
    "writer",
    "critic",
    "editor",
  ])
})

test("docs/config.md links to every diagnostic code and to no unknown code", () => {
  const linked = new Set([...page.matchAll(/errors\.md#(\w+)/g)].map(([, code]) => code))
  expect(
    [...linked].filter(
      (code) => ![...diagnosticCodes, ...errorCodes].some((known) => known === code),
    ),
  ).toEqual([])
  expect(diagnosticCodes.filter((code) => !linked.has(code))).toEqual([])
})

test("docs/config.md contains the current value of every config limit", () => {
  for (const limit of Object.values(configLimits))
    expect(page).toContain(`${limit.toLocaleString("en-US")}`)
})
