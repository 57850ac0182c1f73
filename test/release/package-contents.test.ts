import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, describe, expect, test } from "vitest"
import { entriesOf, readManifest, targetsOf } from "./package-entries.js"
import { installCommand, installed, installedPackages, pack, sizeOf } from "./packed.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const manifest = readManifest(root)
const packFolder = mkdtempSync(join(tmpdir(), "agent-statecharts-packed-"))
const createFolder = join(root, "create-agent-statecharts")
const [packed, created] = pack([root, createFolder], packFolder)
if (packed === undefined || created === undefined)
  throw new Error("npm did not pack both packages.")
const project = installed(root, packed.tarball)
installCommand(project.folder, "create-agent-statecharts", created.tarball, "main.mjs")
writeFileSync(join(project.folder, "package.json"), '{ "private": true }')
const paths = packed.files.map(({ path }) => path)

afterAll(() => {
  project.remove()
  rmSync(packFolder, { recursive: true, force: true })
})

describe("the content of the packed package", () => {
  test("the package contains every target of `exports`, and types for each program", () => {
    const targets = Object.values(manifest.exports).flatMap((condition) => targetsOf(condition))
    expect(targets.map(({ file }) => file).filter((file) => !paths.includes(file))).toEqual([])
    expect(
      targets
        .map(({ file }) => file.replace(/\.js$/, ".d.ts"))
        .filter((file) => !paths.includes(file)),
    ).toEqual([])
  })

  test("the package contains the command as an executable file", () => {
    for (const command of Object.values(manifest.bin))
      expect(packed.files.find(({ path }) => path === command)?.mode.toString(8), command).toBe(
        "755",
      )
  })

  test("the package contains the README, the license, the changelog and the docs", () => {
    for (const file of [
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
      "THIRD-PARTY-LICENSES.md",
      "package.json",
      "docs/errors.md",
    ])
      expect(paths).toContain(file)
  })

  test("the package contains no other files than programs, schemas, docs, templates and examples", () => {
    const meant = [
      /^(README|CHANGELOG|THIRD-PARTY-LICENSES)\.md$/,
      /^LICENSE$/,
      /^package\.json$/,
      /^dist\/.*\.(js|js\.map|d\.ts)$/,
      /^dist\/studio\/page\/(index\.html|assets\/[\w-]+\.(js|css))$/,
      /^dist\/schema\/[\w-]+\.schema\.json$/,
      /^docs\/[\w-]+\.md$/,
      /^docs\/images\/[\w-]+\.png$/,
      /^templates\/([\w./-]*\.(md|mjs|json|yaml|ts)|project\/gitignore|providers\/[\w-]+\/all\/env\.example)$/,
      /^examples\/.*\.(md|mjs|js|jsx|ts|json|yaml|svg|mmd|html|css)$/,
      /^examples\/deploy\/(Dockerfile|\.dockerignore)$/,
    ]
    expect(paths.filter((path) => !meant.some((form) => form.test(path)))).toEqual([])
  })

  test("the package contains no tests and no files built from deleted sources", () => {
    expect(
      paths.filter((path) => /^(?!templates\/).*\.(test|spec)\.|^test\/|node_modules/.test(path)),
    ).toEqual([])
    const built = paths.filter(
      (path) => /^dist\/.*\.(js|d\.ts)$/.test(path) && !/^dist\/(studio\/page|shared)\//.test(path),
    )
    const sources = ["ts", "tsx", "mts"]
    expect(
      built.filter(
        (path) =>
          !sources.some((ending) =>
            isFile(path.replace(/^dist\//, "src/").replace(/(js|d\.ts)$/, ending)),
          ),
      ),
    ).toEqual([])
  })

  test("the source maps contain the TypeScript source", () => {
    const map = JSON.parse(
      readFileSync(join(project.packageFolder, "dist/index.js.map"), "utf8"),
    ) as { readonly sources: readonly string[]; readonly sourcesContent: readonly string[] }
    expect(map.sources).toContain("../src/index.ts")
    expect(map.sourcesContent[map.sources.indexOf("../src/index.ts")]).toContain("createRunner")
  })

  test("every source map to which a file refers is in the package", () => {
    const lost = paths
      .filter((path) => /\.(js|css|d\.ts)$/.test(path))
      .flatMap((path) => {
        const map = /^\/[/*]# sourceMappingURL=(\S+)/m.exec(
          readFileSync(join(project.packageFolder, path), "utf8"),
        )?.[1]
        return map === undefined ||
          map.startsWith("data:") ||
          paths.includes(join(dirname(path), map))
          ? []
          : [`${path} -> ${map}`]
      })
    expect(lost).toEqual([])
  })

  test("links in the README and the docs lead to files of the package, except links for contributors", () => {
    const pages = paths.filter((path) => /^(README|docs\/.*)\.md$/.test(path))
    const lost = pages.flatMap((page) => {
      const text = readFileSync(join(project.packageFolder, page), "utf8").replace(
        /```[^]*?```/g,
        "",
      )
      const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^[a-z]+:/.test(link))
      return targets
        .map((link) => join(dirname(page), link))
        .filter(
          (target) =>
            !paths.some((path) => path === target || path.startsWith(target.replace(/\/?$/, "/"))),
        )
        .map((target) => `${page} -> ${target}`)
    })
    expect(
      lost.filter(
        (link) =>
          !/ -> ((test|src|bench|engines|release)\b|.*(CONTRIBUTING|architecture)\.md)/.test(link),
      ),
    ).toEqual([])
  })

  test("the types import only packages that a user has installed", () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    ) as Readonly<Record<"dependencies" | "peerDependencies", Readonly<Record<string, string>>>>
    const known = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)])
    const reached = new Set(entriesOf(root).map(({ types }) => types.replace(/^\.\//, "")))
    const unknown: string[] = []
    // A set also iterates over the files that are added during the loop.
    for (const file of reached)
      for (const [, target = ""] of readFileSync(
        join(project.packageFolder, file),
        "utf8",
      ).matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*"([^"]+)"/g)) {
        if (target.startsWith(".")) {
          reached.add(join(dirname(file), target).replace(/\.js$/, ".d.ts"))
          continue
        }
        const name = target.split("/", target.startsWith("@") ? 2 : 1).join("/")
        if (!known.has(name) && !name.startsWith("node:")) unknown.push(`${file} -> ${target}`)
      }
    expect(reached.size).toBeGreaterThan(100)
    expect(unknown).toEqual([])
  })

  test("the package and its files do not exceed their size limits", () => {
    const kilobytes = (bytes: number): number => Math.round(bytes / 1000)
    console.log(
      `the package: ${kilobytes(packed.size)} kB packed, ${kilobytes(packed.unpackedSize)} kB unpacked, ${paths.length} files`,
    )
    const largest = packed.files
      .filter(({ path, size }) => size > 105_000 && !path.endsWith(".map"))
      .map(({ path }) => path.replace(/^(dist\/.*)-[\w-]{8}\./, "$1."))
    expect(largest.sort()).toEqual([
      "dist/schema/adk.schema.json",
      "dist/shared/adk.js",
      "dist/shared/analyze-policies.js",
      "dist/shared/compiler.js",
      "dist/shared/conditions.js",
      "dist/shared/core-runner.js",
      "dist/shared/open-studio.js",
      "dist/shared/packages.js",
      "dist/shared/runner.js",
      "dist/studio/page/assets/editor.js",
      "dist/studio/page/assets/index.js",
    ])
    // Source maps contain their sources.
    for (const { path, size } of packed.files) expect(size, path).toBeLessThan(1_300_000)
    expect(packed.size).toBeLessThan(5_000_000)
    expect(packed.unpackedSize).toBeLessThan(18_000_000)
  })
})

test("an installation has at most 20 packages and 41 MB", () => {
  const packages = installedPackages(root)
  const bytes = packages.reduce((sum, path) => sum + sizeOf(join(root, path)), packed.unpackedSize)
  console.log(
    `an installation: ${packages.length + 1} packages, ${(bytes / 1_000_000).toFixed(1)} MB`,
  )
  expect(packages).toContain("node_modules/elkjs")
  expect(packages.length + 1).toBeLessThanOrEqual(20)
  expect(bytes).toBeLessThan(41_000_000)
})

describe("the package installed with only its dependencies", () => {
  const node = (...args: readonly string[]): string =>
    execFileSync(process.execPath, args, { cwd: project.folder, encoding: "utf8" })
  const command = join("node_modules/agent-statecharts", manifest.bin["agent-statecharts"] ?? "")

  test(
    "the command can be executed directly, except on Windows",
    { skip: process.platform === "win32" },
    () => {
      expect(
        execFileSync(join(project.folder, command), ["--version"], { encoding: "utf8" }).trim(),
      ).toBe(manifest.version)
    },
  )

  test("the command checks and runs its own examples", () => {
    const example = "node_modules/agent-statecharts/examples/content-loop"
    expect(node(command, "check", `${example}/workflow.json`)).toMatch(/\S/)
    expect(
      node(
        command,
        "run",
        `${example}/workflow.json`,
        "--scripted",
        `${example}/scenario.json`,
        "--quiet",
      ),
    ).toMatch(/\S/)
  })

  test("the main entry point compiles and runs a workflow in plain Node.js", () => {
    const program = `
      import { compile, createRunner } from "agent-statecharts"
      const { chart } = compile({ rootAgentId: "poet", agents: [{ type: "LlmAgent", id: "poet", model: "muse", outputKey: "poem" }] })
      const run = createRunner({ models: { muse: { call: async () => ({ content: "Boxes and arrows", exitFlow: true }) } } }).start(chart)
      console.log((await run.result).state.poem)`
    expect(node("--input-type=module", "--eval", program).trim()).toBe("Boxes and arrows")
  })

  test("a CommonJS program can load the package with `require`", () => {
    const program = 'console.log(typeof require("agent-statecharts").compile)'
    expect(node("--no-warnings", "--eval", program).trim()).toBe("function")
  })
})

/** Runs npm in the project. The packages of both tarballs are installed in it. */
const npm = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
  promisify(execFile)("npm", ["--offline", "--loglevel=error", ...args], { cwd: project.folder })

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>

test("both packages have the same version, and create-agent-statecharts requires exactly this version", () => {
  const { version } = readManifest(root)
  expect(readJson(join(createFolder, "package.json"))).toMatchObject({
    version,
    dependencies: { "agent-statecharts": version },
  })
})

test("create-agent-statecharts contains only its program, README, license and package.json", () =>
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

test("create-agent-statecharts --help prints the options", async () => {
  const creator = join(project.folder, "node_modules/.bin/create-agent-statecharts")
  const { stdout } = await promisify(execFile)(creator, ["--help"], { cwd: project.folder })
  expect(stdout).toContain("--template <name>")
})

function isFile(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false
}
