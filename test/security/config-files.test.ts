import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openFolder } from "../../src/adapters/files/open-folder.js"
import { compile } from "../../src/compiler/index.js"

describe("config files outside the folder of a config", () => {
  const place = mkdtempSync(join(tmpdir(), "config-"))
  const folder = join(place, "team")

  beforeAll(() => {
    mkdirSync(folder)
    for (const file of [join(place, "outside.yaml"), join(folder, "inside.yaml")])
      writeFileSync(file, "name: helper\nmodel: small\ninstruction: canary\n")
    symlinkSync(join(place, "outside.yaml"), join(folder, "link.yaml"))
    symlinkSync(place, join(folder, "up"))
  })
  afterAll(() => rmSync(place, { recursive: true }))

  const compiled = (path: string): ReturnType<typeof compile> => {
    writeFileSync(
      join(folder, "root_agent.yaml"),
      `agent_class: SequentialAgent\nname: root\nsub_agents:\n  - config_path: ${JSON.stringify(path)}\n`,
    )
    return compile(openFolder(folder))
  }

  test.each([
    "../outside.yaml",
    "x/../../outside.yaml",
    "..\\outside.yaml",
    join(place, "outside.yaml"),
    "/etc/passwd",
    "link.yaml",
    "up/outside.yaml",
    "file:///etc/passwd",
    "http://127.0.0.1/a.yaml",
    ".",
  ])("a config cannot read %s", (path) => {
    const { chart, diagnostics } = compiled(path)
    expect(chart).toBeNull()
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true)
    expect(JSON.stringify(diagnostics)).not.toContain("canary")
  })

  test("a config reads a file inside its folder", () =>
    expect(compiled("./inside.yaml").chart).not.toBeNull())
})
