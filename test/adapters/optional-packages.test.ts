import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { isBuilt, main } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as Manifest

/** Returns a module for `--import` that hides these packages, as if they were not installed. */
const without = (names: readonly string[]): string => {
  const hook = `
    const names = ${JSON.stringify(names)}
    export function resolve(name, context, next) {
      // Some packages are imported under a name in "imports" of package.json.
      if (!names.some((one) => name === one || name === "#" + one || name.startsWith(one + "/"))) return next(name, context)
      throw Object.assign(new Error("Cannot find package '" + name + "' imported from " + context.parentURL), { code: "ERR_MODULE_NOT_FOUND" })
    }`
  return `data:text/javascript,${encodeURIComponent(`import { register } from "node:module"; register("data:text/javascript," + ${JSON.stringify(encodeURIComponent(hook))})`)}`
}

const optional = [
  ...Object.keys(manifest.peerDependencies),
  ...Object.keys(manifest.optionalDependencies ?? {}),
]

const node = (
  args: readonly string[],
): { readonly stdout: string; readonly stderr: string; readonly status: number | null } =>
  spawnSync(process.execPath, ["--import", without(optional), ...args], {
    cwd: projectFolder,
    encoding: "utf8",
  })

/**
 * The expected error of each entry point whose package is missing. Users of the entry points for Temporal workflows and for React
 * already have these frameworks, so the error message of Node, which contains the package, is enough.
 */
const missing: Readonly<Record<string, RegExp>> = {
  "./adapters/engine/restate": /^package_missing .*npm install @restatedev\/restate-sdk@1\.12\.0/,
  "./adapters/engine/temporal/workflow": /^ERR_MODULE_NOT_FOUND .*@temporalio\/workflow/,
  "./adapters/journal/postgres": /^package_missing .*npm install pg@8/,
  "./adapters/memory/postgres": /^package_missing .*npm install pg@8/,
  "./adapters/model-limits/postgres": /^package_missing .*npm install pg@8/,
  "./adapters/response-cache/postgres": /^package_missing .*npm install pg@8/,
  "./adapters/session/postgres": /^package_missing .*npm install pg@8/,
  "./adapters/inspect/stately": /^package_missing .*npm install @statelyai\/inspect@/,
  "./adapters/model/ai-sdk": /^package_missing .*npm install ai@6/,
  "./adapters/protocol/ai-sdk-ui": /^package_missing .*npm install ai@6/,
  "./adapters/telemetry/otel": /^package_missing .*npm install @opentelemetry\/api@/,
  "./adapters/tool/mcp": /^package_missing .*npm install @modelcontextprotocol\/client@/,
  "./react": /^ERR_MODULE_NOT_FOUND .*react/,
}

describe.skipIf(!isBuilt)("an installation without optional packages", () => {
  test("each entry point can be imported, or reports the package to install", () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"))
    const script = entries
      .map(
        (entry) =>
          `await import("agent-statecharts${entry.slice(1)}").then(() => console.log("imported"), ({ code, message }) => console.log(code, message))`,
      )
      .join("\n")
    const { stdout, stderr } = node(["--input-type=module", "--eval", script])
    expect(stderr).toBe("")
    const said = stdout.trimEnd().split("\n")
    expect(said).toHaveLength(entries.length)
    for (const [nth, entry] of entries.entries())
      expect(said[nth], entry).toMatch(missing[entry] ?? /^imported$/)
  })

  test("the command runs a workflow", () => {
    const { stdout, status } = node([
      main,
      "run",
      "examples/content-loop/workflow.json",
      "--scripted",
      "examples/content-loop/scenario.json",
      "--quiet",
    ])
    expect({ stdout, status }).toEqual({ stdout: expect.stringMatching(/\S/), status: 0 })
  })

  test("the command reports the packages that SVG drawings and inspectors need", () => {
    expect(
      node([main, "draw", "examples/customer-enrichment/workflow.json", "--format", "svg"]),
    ).toMatchObject({ stderr: expect.stringContaining("npm install elkjs") })
    expect(
      node([
        main,
        "run",
        "examples/content-loop/workflow.json",
        "--scripted",
        "examples/content-loop/scenario.json",
        "--inspect-relay",
      ]),
    ).toMatchObject({ stderr: expect.stringContaining("npm install @statelyai/inspect@") })
  })

  test("a SQLite journal uses node:sqlite, or reports the package to install", () => {
    const hook = `const { _resolveFilename } = Module
      Module._resolveFilename = (name, ...rest) => {
        if (name !== "libsql") return _resolveFilename(name, ...rest);
        throw Object.assign(new Error("Cannot find module 'libsql'"), { code: "MODULE_NOT_FOUND" });
      }`
    const script = `import Module from "node:module"
      ${hook}
      const { sqliteJournal } = await import("agent-statecharts/adapters/journal/sqlite")
      try {
        sqliteJournal(":memory:").close()
        console.log("opened")
      } catch ({ code, message }) {
        console.log(code, message)
      }`
    const hasNodeSqlite = !process.version.startsWith("v20.")
    expect(node(["--input-type=module", "--eval", script]).stdout).toMatch(
      hasNodeSqlite ? /^opened/ : /^package_missing .*npm install libsql@0\.5/,
    )
  })
})
