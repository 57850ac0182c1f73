import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { cli, isBuilt } from "./command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const examples = fileURLToPath(new URL("../../examples/", import.meta.url))

describe.skipIf(!isBuilt)("demo", () => {
  test("demo --list describes every example in one sentence", async () => {
    const { code, stdout } = await cli(["demo", "--list"])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split("\n")
    const names = readdirSync(examples, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() && readdirSync(join(examples, entry.name)).includes("scenario.json"),
      )
      .map(({ name }) => name)
    expect(lines.map((line) => line.split(" ")[0])).toEqual(names.sort())
    for (const line of lines) expect(line).toMatch(/^[\w-]+ {2,}[A-Z].{15,}[.:]$/)
  })

  test("the output of demo ends with three next steps", async () => {
    const { code, stdout } = await cli(["demo", "support-agent"], {
      cwd: temporaryFolder("agent-statecharts-demo-"),
    })
    expect(code).toBe(0)
    const [, steps = ""] = stdout.split("Next steps\n")
    expect(steps.match(/^ {2}agent-statecharts \w+/gm)).toEqual([
      "  agent-statecharts init",
      "  agent-statecharts studio",
      "  agent-statecharts demo",
    ])
  })
})
