import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"
import { readManifest } from "./package-entries.js"
import { installCommand, installed, pack } from "./packed.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const createFolder = join(root, "create-agent-statecharts")
const packFolder = mkdtempSync(join(tmpdir(), "create-agent-statecharts-"))
const created = pack(createFolder, packFolder)
const project = installed(root, pack(root, packFolder).tarball)
installCommand(project.folder, "create-agent-statecharts", created.tarball, "main.mjs")
writeFileSync(join(project.folder, "package.json"), '{ "private": true }')

afterAll(() => {
  project.remove()
  rmSync(packFolder, { recursive: true, force: true })
})

/** Runs npm in the project. The packages of both tarballs are installed in it. */
const npm = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
  promisify(execFile)("npm", ["--offline", "--loglevel=error", ...args], { cwd: project.folder })

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>

test("both packages have one version, and the creator needs exactly this version", () => {
  const { version } = readManifest(root)
  expect(readJson(join(createFolder, "package.json"))).toMatchObject({
    version,
    dependencies: { "agent-statecharts": version },
  })
})

test("the creator contains only its program and what tells people about it", () =>
  expect(created.files.map(({ path }) => path).sort()).toEqual([
    "LICENSE",
    "README.md",
    "main.mjs",
    "package.json",
  ]))

test("npm create agent-statecharts writes a project whose workflow runs", async () => {
  const options = ["--yes", "--no-install", "--template", "pipeline", "--dialect", "adk"]
  const { stdout } = await npm("create", "agent-statecharts", "my-agents", "--", ...options)
  expect(stdout).toContain("Created my-agents\n")
  expect(stdout).toContain("✔ completed")
  expect(stdout).toContain("1. Run the test:          cd my-agents && npm install && npm test")
  expect(readJson(join(project.folder, "my-agents/package.json"))).toMatchObject({
    name: "my-agents",
    dependencies: { "agent-statecharts": `^${readManifest(root).version}` },
  })
  // The project finds the package that is installed in its parent folder.
  await promisify(execFile)("npm", ["test", "--offline"], {
    cwd: join(project.folder, "my-agents"),
  })
})

test("npm create agent-statecharts --help describes the options", async () => {
  const { stdout } = await npm("create", "agent-statecharts", "--", "--help")
  expect(stdout).toContain("--template <name>")
})
