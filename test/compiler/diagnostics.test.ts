import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { openFolder } from "../../src/adapters/files/index.js"
import type { Diagnostic } from "../../src/compiler/diagnostics/diagnostic.js"
import { diagnosticCodes } from "../../src/compiler/diagnostics/diagnostic.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"

/**
 * Each folder contains a config and its complete expected diagnostics. `vitest -u` rewrites `expected.json`:
 * read the changes as the person who made the mistake would.
 */
const folder = fileURLToPath(new URL("./diagnostics/", import.meta.url))
const names = readdirSync(folder)

function diagnosticsOf(name: string): { workflow: unknown; diagnostics: readonly Diagnostic[] } {
  const options = join(folder, name, "options.json")
  const { workflow, graph, diagnostics } = readWorkflow(
    sourceOf(join(folder, name)),
    existsSync(options) ? JSON.parse(readFileSync(options, "utf8")) : {},
  )
  return { workflow: workflow ?? graph, diagnostics }
}

/** Returns the config as a JSON or YAML text, or as a folder of Agent Config YAML. */
function sourceOf(at: string): string | object {
  if (existsSync(join(at, "root_agent.yaml"))) return openFolder(at)
  return readFileSync(
    join(at, existsSync(join(at, "input.yaml")) ? "input.yaml" : "input.json"),
    "utf8",
  )
}

describe("the diagnostics of a config", () => {
  test.each(names)("the diagnostics of %s are as expected", async (name) => {
    const { workflow, diagnostics } = diagnosticsOf(name)
    expect(workflow === null).toBe(diagnostics.some(({ severity }) => severity === "error"))
    await expect(`${JSON.stringify(diagnostics, null, 2)}\n`).toMatchFileSnapshot(
      join(folder, name, "expected.json"),
    )
  })
})

describe("every diagnostic", () => {
  const all = names.flatMap((name) => diagnosticsOf(name).diagnostics)

  test("has a config for its code", () => {
    const flood = readWorkflow({
      rootAgentId: "writer",
      agents: Array.from({ length: 20_000 }, () => 0),
    }).diagnostics
    const produced = new Set([...all, ...flood].map(({ code }) => code))
    expect(diagnosticCodes.filter((code) => !produced.has(code))).toEqual([])
  })

  test("names the field in its message, and suggests a fix", () => {
    for (const { message, fix, field, agent, tool } of all) {
      expect(message).toMatch(/^["A-Z].*\.$/s)
      expect(fix).toMatch(/^[A-Z].*\.$/s)
      expect(message).toContain(field ?? "")
      if (field?.startsWith("id") !== true)
        expect(message).toContain((agent ?? tool ?? "").slice(0, 50))
    }
  })
})
