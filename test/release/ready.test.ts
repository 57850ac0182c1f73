import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"
import { sectionOf, unready } from "../../release/unready.mjs"
import { readManifest } from "./package-entries.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8")
const place = "https://git.example.com/someone/agent-statecharts"
const whole = {
  version: "1.2.3",
  repository: { type: "git", url: `git+${place}.git` },
  homepage: place,
  bugs: { url: `${place}/issues` },
}
const told =
  "# Changelog\n\n## 1.2.3 - 2001-12-31\n\nSomething.\n\n## 1.2.2 - 2001-11-30\n\nThe first.\n"

describe("CHANGELOG.md", () => {
  test("has a section with content for the version in package.json", () => {
    expect(sectionOf(changelog, readManifest(root).version)?.text).toMatch(/^### Added$/m)
  })

  test("lists each version once, from newest to oldest, with a date or as unreleased", () => {
    const versions = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title)
    for (const title of versions)
      expect(title).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)? - (unreleased|\d{4}-\d{2}-\d{2})$/)
    const numbers = versions.map((title) => title.split(" ")[0] ?? "")
    expect(numbers).toEqual(
      [...new Set(numbers)].sort((left, right) =>
        right.localeCompare(left, "en", { numeric: true }),
      ),
    )
  })
})

describe("the check before a release", () => {
  test("a version can be released if its repository, changes and date are known", () => {
    expect(unready({ manifest: whole, changelog: told, changedFiles: [] })).toEqual([])
  })

  test.each([
    ["repository", { ...whole, repository: {} }, told, []],
    ["homepage", { ...whole, homepage: "" }, told, []],
    ["bugs", { ...whole, bugs: {} }, told, []],
    ["1.2.4", { ...whole, version: "1.2.4" }, told, []],
    ["unreleased", whole, told.replace("2001-12-31", "unreleased"), []],
    ["src/errors.ts", whole, told, ["src/errors.ts"]],
  ])(
    "a version cannot be released, and the message names the cause: %s",
    (missing, manifest, text, changedFiles) => {
      expect(unready({ manifest, changelog: text, changedFiles })).toEqual([
        expect.stringContaining(missing),
      ])
    },
  )

  test(
    "npm run release:check rejects uncommitted files and accepts a committed version",
    { skip: spawnSync("git", ["--version"]).status !== 0 },
    () => {
      const folder = mkdtempSync(join(tmpdir(), "agent-statecharts-release-"))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const git = (...args: readonly string[]): string =>
        execFileSync(
          "git",
          ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com", ...args],
          { cwd: folder, encoding: "utf8" },
        )
      const check = (): {
        readonly status: number | null
        readonly stdout: string
        readonly stderr: string
      } =>
        spawnSync(process.execPath, [join(root, "release/check.mjs")], {
          cwd: folder,
          encoding: "utf8",
        })
      git("init", "--quiet")
      writeFileSync(join(folder, "CHANGELOG.md"), told)
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "sample", ...whole }))
      expect(check()).toMatchObject({
        status: 1,
        stdout: "",
        stderr: expect.stringContaining("not committed: CHANGELOG.md, package.json"),
      })
      git("add", "--all")
      git("commit", "--quiet", "--message", "Begin")
      expect(check()).toMatchObject({
        status: 0,
        stdout: "sample 1.2.3 can be released.\n",
        stderr: "",
      })
    },
  )
})

test("npm publish first runs release:check and check, and publishes publicly with provenance", () => {
  const { scripts, publishConfig } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as { readonly scripts: Readonly<Record<string, string>>; readonly publishConfig: object }
  expect(scripts["prepublishOnly"]).toBe("npm run release:check && npm run check")
  expect(publishConfig).toEqual({ access: "public", provenance: true })
})
