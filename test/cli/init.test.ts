import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { json as readBody } from "node:stream/consumers"
import type { AddressInfo } from "node:net"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { openFolder } from "../../src/adapters/files/index.js"
import type { ProjectChoices } from "../../src/cli/init/project-choices.js"
import { dialects, providers, templates } from "../../src/cli/init/project-choices.js"
import { packageSource } from "../../src/cli/init/package-source.js"
import { projectFiles } from "../../src/cli/init/project-files.js"
import { projectPaths } from "../../src/cli/init/project-paths.js"
import { packageNameOf } from "../../src/cli/init/write-project.js"
import { compile } from "../../src/compiler/index.js"
import { playsAllCases, sampleOf } from "../support/random-cases.js"
import type { Ended } from "./command.js"
import { cli, isBuilt } from "./command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const execute = promisify(execFile)

/** An empty folder for a project, in which this package and its tools are installed. */
function emptyProject(): string {
  const folder = temporaryFolder("agent-statecharts-init-")
  const link = (name: string, target = join(root, "node_modules", name)): void => {
    const path = join(folder, "node_modules", name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, "dir")
  }
  link("agent-statecharts", root)
  for (const name of [
    "typescript",
    "@types/node",
    "undici-types",
    "ai",
    "@ai-sdk/openai-compatible",
  ])
    link(name)
  mkdirSync(join(folder, "node_modules/.bin"))
  symlinkSync(join(root, "node_modules/.bin/tsc"), join(folder, "node_modules/.bin/tsc"))
  symlinkSync(join(root, "dist/cli/main.js"), join(folder, "node_modules/.bin/agent-statecharts"))
  return folder
}

const init = (
  folder: string,
  choices: Partial<ProjectChoices>,
  ...more: string[]
): Promise<Ended> =>
  cli([
    "init",
    folder,
    ...Object.entries(choices).flatMap(([field, value]) => [`--${field}`, value]),
    "--no-install",
    ...more,
  ])

/**
 * Runs a script of a project, and returns its standard output. To save time, it does not start npm,
 * because `init` already runs a script with npm. It builds a project only once.
 */
async function runScript(folder: string, name: string, ...more: string[]): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  let stdout = ""
  for (const command of [scripts[name], ...more].join(" ").split(" && ")) {
    if (command === "npm run build") {
      if (!existsSync(join(folder, "dist"))) await runScript(folder, "build")
    } else if (/^agent-statecharts (check|draw) /.test(command)) {
      const ended = await cli(command.split(" ").slice(1), { cwd: folder })
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      stdout += ended.stdout
    } else {
      const path = [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter)
      const env = { ...process.env, PATH: path }
      // The test program prints the same output without the process of the test runner.
      const program = command.replace("node --test ", "node ")
      stdout += (await execute("sh", ["-c", program], { cwd: folder, env })).stdout
    }
  }
  return stdout
}

const everyProject = dialects.flatMap((dialect) =>
  templates.map((template) => ({ dialect, template })),
)

/** Every second pair of a dialect and a template: each dialect with two templates, and each template. */
const createdProjects = everyProject.filter(
  ({ dialect, template }) =>
    playsAllCases || (dialects.indexOf(dialect) + templates.indexOf(template)) % 2 === 0,
)

describe.skipIf(!isBuilt)("a new project", () => {
  test.each(createdProjects)(
    "a new project ($dialect, $template) runs its scenario, and its checks and tests pass",
    async (choices) => {
      const folder = emptyProject()
      const created = await init(folder, choices)
      expect(created).toMatchObject({ code: 0, stderr: "" })
      expect(created.stdout).toContain("✔ completed")
      expect(created.stdout).toContain("Next steps")
      expect(await runScript(folder, "check")).toContain("valid")
      expect(await runScript(folder, "test")).toMatch(/# pass [12]\n# fail 0/)
      await runScript(folder, "draw")
      expect(readFileSync(join(folder, "workflow.svg"), "utf8")).toContain("<svg")
      if (choices.dialect !== "typescript") return
      // The builder and the JSON file describe the same workflow.
      const json = JSON.parse(
        readFileSync(
          join(root, "templates/workflows", choices.template, "graph-compose/workflow.json"),
          "utf8",
        ),
      ) as { description?: string; $schema?: string }
      delete json.description
      delete json.$schema
      const built: unknown = JSON.parse(readFileSync(join(folder, "dist/workflow.json"), "utf8"))
      expect(built).toEqual(json)
    },
  )

  test("the test of a new project fails if an agent is removed from the workflow", async () => {
    const folder = emptyProject()
    await init(folder, { template: "pipeline" }, "--no-run")
    const file = join(folder, "workflow.json")
    await writeFile(file, (await readFile(file, "utf8")).replace(', { "agentId": "editor" }', ""))
    await expect(runScript(folder, "test")).rejects.toMatchObject({
      stdout: expect.stringContaining("# fail 1"),
    })
  })
})

describe("the files of a project", () => {
  const parts = ["package.json", "README.md", ".env.example", "models.mjs", "src/models.ts"]

  test.each(everyProject)(
    "only some files of a new project ($dialect, $template) depend on the provider",
    async (choices) => {
      const scripted = await projectFiles({ ...choices, provider: "scripted" }, "p", "^1.0.0")
      expect([...scripted.values()].join("\n")).not.toContain("{{")
      for (const provider of providers.filter((name) => name !== "scripted")) {
        const files = await projectFiles({ ...choices, provider }, "p", "^1.0.0")
        expect(files.has(projectPaths(choices).modelsSource)).toBe(true)
        const common = (all: ReadonlyMap<string, string>): unknown =>
          [...all].filter(([path]) => !parts.includes(path)).sort()
        expect(common(files)).toEqual(common(scripted))
        expect([...files.values()].join("\n")).not.toContain("{{")
      }
    },
  )

  test.each(everyProject.filter(({ dialect }) => dialect !== "typescript"))(
    "the workflow of a new project ($dialect, $template) compiles without warnings",
    async ({ dialect, template }) => {
      const folder = join(root, "templates/workflows", template, dialect)
      const { diagnostics, chart } =
        dialect === "adk"
          ? compile(openFolder(join(folder, "agents")))
          : compile(readFileSync(join(folder, "workflow.json"), "utf8"))
      expect(diagnostics.filter(({ severity }) => severity !== "hint")).toEqual([])
      expect(chart).not.toBeNull()
    },
  )

  test("the files of a project include .gitignore and .env.example for every provider", async () => {
    for (const provider of providers) {
      const files = await projectFiles(
        { dialect: "adk", template: "agent", provider },
        "p",
        "^1.0.0",
      )
      expect(files.get(".gitignore")).toContain(".env\n")
      expect(files.get(".env.example"), provider).toMatch(/^#/)
      expect([...files.keys()]).not.toContain("env.example")
    }
  })

  test("a new project depends on the package versions that this package is tested with", async () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly devDependencies: Readonly<Record<string, string>>
    }
    const files = await projectFiles(
      { dialect: "typescript", template: "agent", provider: "ai-sdk" },
      "p",
      "^1.0.0",
    )
    const manifest = JSON.parse(files.get("package.json") ?? "") as {
      readonly dependencies: Readonly<Record<string, string>>
      readonly devDependencies: Readonly<Record<string, string>>
    }
    const { "agent-statecharts": _own, ...others } = manifest.dependencies
    for (const [name, range] of Object.entries({ ...others, ...manifest.devDependencies }))
      expect(`^${devDependencies[name]}`, name).toBe(range)
  })

  test.each([
    ["https://registry.npmjs.org/agent-statecharts/-/agent-statecharts-1.2.3.tgz", "^1.2.3"],
    ["file:../agent-statecharts-1.2.3.tgz", "file:../../agent-statecharts-1.2.3.tgz"],
    [
      "git+ssh://git@example.com/agent-statecharts.git#a1",
      "git+ssh://git@example.com/agent-statecharts.git#a1",
    ],
    ["https://example.com/agent-statecharts.tgz", "https://example.com/agent-statecharts.tgz"],
  ])("a new project depends on the package that npm installed from %s", (resolved, dependency) => {
    const folder = temporaryFolder("agent-statecharts-source-")
    const modules = join(folder, "home/node_modules")
    mkdirSync(modules, { recursive: true })
    const running = { folder: join(modules, "agent-statecharts"), version: "1.2.3" }
    const project = join(folder, "home/my-agents")
    expect(packageSource(running, project)).toBe("^1.2.3")
    writeFileSync(
      join(modules, ".package-lock.json"),
      JSON.stringify({ packages: { "node_modules/agent-statecharts": { resolved } } }),
    )
    expect(packageSource(running, project)).toBe(dependency)
  })

  test("a new project depends on the clone of the repository that runs the command", () => {
    const running = { folder: "/src/agent-statecharts", version: "1.2.3" }
    expect(packageSource(running, "/src/my-agents")).toBe("file:../agent-statecharts")
  })

  test.each([
    ["/tmp/My Agents", "my-agents"],
    ["/tmp/_x.y", "x.y"],
    ["/tmp/node_modules", "my-agents"],
    ["/", "my-agents"],
  ])("a project in the folder %s gets the package name %s", (folder, name) => {
    expect(packageNameOf(folder)).toBe(name)
  })
})

describe.skipIf(!isBuilt)("existing files", () => {
  test("existing files are not overwritten without --force, and the message lists them", async () => {
    const folder = emptyProject()
    writeFileSync(join(folder, "package.json"), "{}")
    writeFileSync(join(folder, "mine.txt"), "mine")
    const refused = await init(folder, {}, "--no-run")
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain("already contains package.json. Choose another folder")
    expect(existsSync(join(folder, "workflow.json"))).toBe(false)
    const forced = await init(folder, {}, "--no-run", "--force")
    expect(forced.code).toBe(0)
    expect(readFileSync(join(folder, "package.json"), "utf8")).toContain('"scripts"')
    expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("mine")
  })

  test("a file at the path of a folder is reported", async () => {
    const folder = emptyProject()
    writeFileSync(join(folder, "test"), "")
    const refused = await init(folder, {}, "--no-run", "--force")
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toMatch(/test.play-scenario.mjs cannot be written \(E/)
  })
})

describe.skipIf(!isBuilt)("options and failures of init", () => {
  test("an unknown value of an option is rejected with the list of values", async () => {
    const { code, stderr } = await cli(["init", "x", "--template", "chat"])
    expect(code).toBe(2)
    expect(stderr).toContain("agent, pipeline, review, research")
  })

  test("a failed npm install keeps the files and exits with code 1", async () => {
    const folder = temporaryFolder("agent-statecharts-init-")
    const { code, stderr } = await cli(["init", folder, "--provider", "ai-sdk"], {
      env: {
        npm_config_registry: "http://127.0.0.1:1/",
        npm_config_fetch_retries: "0",
        npm_config_cache: join(folder, ".cache"),
      },
    })
    expect(code).toBe(1)
    expect(stderr).toContain("npm install failed")
    expect(existsSync(join(folder, "workflow.json"))).toBe(true)
  })

  test("a TypeScript project without TypeScript is created, but not run", async () => {
    const folder = temporaryFolder("agent-statecharts-init-")
    const { code, stdout } = await init(folder, { dialect: "typescript" })
    expect(code).toBe(0)
    expect(stdout).toContain("was not run")
    expect(stdout).toContain("npm install")
  })
})

/** Responds to a chat completion with the path of its URL, as a stream if `stream` is true. */
async function answerAsModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stream } = (await readBody(request)) as { readonly stream?: boolean }
  const content = `Answer to ${request.url}`
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const base = { id: "1", created: 0, model: "m" }
  const choice = { index: 0, finish_reason: "stop" }
  if (stream === true) {
    const chunk = {
      ...base,
      object: "chat.completion.chunk",
      choices: [{ ...choice, delta: { role: "assistant", content } }],
      usage,
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    return
  }
  response.writeHead(200, { "content-type": "application/json" })
  response.end(
    JSON.stringify({
      ...base,
      object: "chat.completion",
      choices: [{ ...choice, message: { role: "assistant", content } }],
      usage,
    }),
  )
}

describe.skipIf(!isBuilt)("npm start in a new project", () => {
  const live = providers.filter((name) => name !== "scripted")
  test.each([
    ...live.map((provider) => ({ provider, dialect: "adk" }) as const),
    ...sampleOf(live, 3).map((provider) => ({ provider, dialect: "typescript" }) as const),
  ])(
    "npm start calls the models of the provider ($provider, $dialect)",
    async ({ provider, dialect }) => {
      const server = createServer((request, response) => {
        void answerAsModel(request, response)
      })
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
      onTestFinished(() => void server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      const folder = emptyProject()
      await init(folder, { dialect, provider, template: "pipeline" }, "--no-run")
      await writeFile(
        join(folder, ".env"),
        `OPENAI_API_KEY=k\nMODEL_API_KEY=k\nOPENAI_BASE_URL=${url}\nOLLAMA_BASE_URL=${url}\nMODEL_BASE_URL=${url}\nMODEL=m\n`,
      )
      const stdout = await runScript(folder, "start", "--no-journal", "--quiet")
      expect(stdout).toContain("Answer to /v1/chat/completions")
    },
  )

  test("npm start explains a missing API key", async () => {
    const folder = emptyProject()
    await init(folder, { provider: "openai" }, "--no-run")
    const { OPENAI_API_KEY: _key, ...env } = process.env
    await expect(execute("npm", ["start"], { cwd: folder, env })).rejects.toThrow(
      /OPENAI_API_KEY is not set. Copy .env.example/,
    )
  })
})
