import { fork, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid } from "../../src/drawing/index.js"
import { compileCondition } from "../../src/expression/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import { cli } from "../cli/command.js"
import { temporaryFolder } from "../support/temporary-folder.js"
import type { Block } from "./markdown-blocks.js"
import { allBlocks, blocks, pages, projectFolder } from "./markdown-blocks.js"

const written = (...languages: readonly string[]): readonly Block[] =>
  blocks.filter(({ language }) => languages.includes(language))
const command = `${projectFolder}dist/cli/main.js`
const { scripts } = JSON.parse(readFileSync(`${projectFolder}package.json`, "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>
}
/** Separate processes are slow on a busy machine. */
const patient = { timeout: 240_000 }
const isBuilt = existsSync(command)

test("every block has a known language", () => {
  const known = ["js", "ts", "json", "yaml", "python", "bash", "mermaid", "text", ""]
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([])
})

/** This test does not find, and therefore does not run, fences that are indented, have words after the language, or consist of tildes. */
test.each(pages)("every fence in %s begins or ends a block that the tests find", (page) => {
  const fences = readFileSync(`${projectFolder}${page}`, "utf8").match(/^\s*(```|~~~).*$/gm) ?? []
  expect(fences).toHaveLength(2 * allBlocks.filter(({ at }) => at.startsWith(`${page}:`)).length)
})

test("text blocks and blocks without a language contain no programs", () => {
  const programs = written("text", "").filter(({ code }) =>
    /^(import|export|const|let|await|npm|npx|node|agent-statecharts) |^\w+\(.*\)$/m.test(code),
  )
  expect(programs.map(({ at }) => at)).toEqual([])
})

describe("programs in the docs", patient, () => {
  const told = "chart of this block: "
  const programs = written("js", "ts")
  let ended: ReadonlyMap<string, Ended>

  beforeAll(async () => {
    ended = await runPrograms(
      programs.map(({ at, code, picture }) => ({
        name: at,
        code:
          picture === null
            ? code
            : `${code}\nconsole.log(${JSON.stringify(told)} + JSON.stringify(chart))\n`,
      })),
    )
  })

  test.each(programs)(
    "the program at $at runs with plain Node.js and the built package",
    ({ at, code, picture }) => {
      const { exitCode, stdout, stderr } = ended.get(at) ?? notRun
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
      for (const [, value = "", comment = ""] of code.matchAll(
        /^console\.log\((.*)\) \/\/ (.*)$/gm,
      )) {
        expect(stdout.split("\n"), `console.log(${value})`).toContainEqual(
          expect.stringMatching(startOf(comment)),
        )
      }
      if (picture === null) return
      const chart = stdout.split("\n").find((line) => line.startsWith(told)) ?? ""
      expect(picture.trimEnd()).toBe(
        drawMermaid(JSON.parse(chart.slice(told.length)) as AgentChart).trimEnd(),
      )
    },
  )
})

describe("JSON in the docs", () => {
  test.each(written("json"))(
    "the JSON at $at is valid, and compiles if it is a workflow",
    ({ code }) => {
      const value = JSON.parse(code) as object
      if (!("rootAgentId" in value || "nodes" in value)) return
      expect(compile(code).diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    },
  )
})

describe("YAML in the docs", () => {
  test.each(written("yaml"))("the YAML at $at is valid", ({ code }) =>
    expect(parse(code)).toEqual(expect.any(Object)),
  )
})

describe("conditions in the docs", () => {
  test.each(written("python"))(
    "every line of the block at $at is a condition that compiles",
    ({ code }) => {
      for (const line of code.trimEnd().split("\n"))
        expect(() => compileCondition(line), line).not.toThrow()
    },
  )
})

/**
 * One line is one command. Its exit code is 0, unless a comment says `# exit code 3`. The commands of a block run one after
 * the other in a temporary folder, because later ones read the files of earlier ones.
 */
describe("commands in the docs", patient, () => {
  test.concurrent.each(written("bash"))(
    "the commands at $at have the documented exit codes",
    async ({ at, code }) => {
      const cwd = temporaryFolder("commands-")
      for (const folder of ["engines", "examples"])
        symlinkSync(join(projectFolder, folder), join(cwd, folder))
      for (const line of code.split("\n"))
        if (line.trim() !== "" && !line.startsWith("#"))
          await checkCommand(line, `${at} ${line}`, cwd)
    },
  )
})

async function checkCommand(line: string, name: string, cwd: string): Promise<void> {
  const [, call = "", code = "0"] = /^(.*?)(?:\s*# exit code (\d+))?$/.exec(line) ?? []
  const [program, ...args] = call.trim().split(/\s+/)
  // These commands run the tests, install packages, or need the whole terminal. Only the names of scripts are checked.
  if (program === "npm") {
    for (const [, script = ""] of call.matchAll(/npm run (?:-\S+ )*([\w:]+)/g))
      expect(Object.keys(scripts), name).toContain(script)
    return
  }
  if (program === "npx") {
    expect(args[0], name).toBe("agent-statecharts")
    if (isBuilt) expect(await exitCodeOf(args.slice(1), cwd), name).toBe(Number(code))
    return
  }
  expect(program, name).toBe("node")
  expect(await processCode(args, cwd), name).toBe(Number(code))
}

/** A printed line must start with the text of the comment before the first `: `. The rest of the comment is for the reader. */
const startOf = (comment: string): RegExp =>
  new RegExp(`^${(comment.split(": ")[0] ?? "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`)

interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const notRun: Ended = { exitCode: null, stdout: "", stderr: "an earlier program did not end" }

/** Runs programs in one process. Returns how each ended, by its name. */
async function runPrograms(
  programs: readonly { readonly name: string; readonly code: string }[],
): Promise<ReadonlyMap<string, Ended>> {
  // In this folder, a program finds the built package under its name.
  const folder = mkdtempSync(join(import.meta.dirname, ".programs-"))
  const names = new Map(
    programs.map(({ name, code }, index) => {
      const file = join(folder, `${index}.mjs`)
      writeFileSync(file, code)
      return [file, name]
    }),
  )
  const ended = new Map<string, Ended>()
  const child = fork(
    join(import.meta.dirname, "run-programs.mjs"),
    [JSON.stringify([...names.keys()])],
    {
      cwd: projectFolder,
      // Temporary files of the programs are removed together with the programs.
      env: { ...process.env, TMPDIR: folder },
      execArgv: [],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      timeout: 220_000,
    },
  )
  child.on("message", ({ program, ...one }: Ended & { readonly program: string }) => {
    ended.set(names.get(program) ?? program, one)
  })
  await new Promise((resolve) => child.on("close", resolve))
  rmSync(folder, { recursive: true })
  return ended
}

/** Runs a command to its end. A server and an inspector need a process. */
async function exitCodeOf(args: readonly string[], cwd: string): Promise<number | null> {
  if (["serve", "studio"].includes(args[0] ?? ""))
    return processCode([command, ...args, "--port", "0"], cwd)
  return args.includes("--inspect")
    ? processCode([command, ...args], cwd)
    : (await cli(args, { cwd })).code
}

/** Returns the exit code of a process, or null if it was killed. Stops the process when it prints how to stop it. */
function processCode(args: readonly string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      timeout: 220_000,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "ignore"],
    })
    let stdout = ""
    child.stdout.on("data", (data) => {
      stdout += String(data)
      if (stdout.includes("Press Ctrl-C to stop")) child.kill("SIGINT")
    })
    child.on("error", reject)
    child.on("close", resolve)
  })
}
