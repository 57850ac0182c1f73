import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt, main, samples, start } from "./command.js"

describe.skipIf(!isBuilt)("draw", () => {
  const cwd = folderWith(samples)
  const written = (file: string): string => readFileSync(join(cwd, file), "utf8")

  test("draw -o selects the format by the file extension", async () => {
    for (const [file, begins] of [
      ["pair.svg", /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/],
      ["pair.mmd", /^stateDiagram-v2\n/],
      ["pair.picture.json", /^\{\n {2}"root": \{/],
      ["pair.ts", /^\/\/ The statechart of "pair"/],
      ["pair.scxml", /^<\?xml version="1\.0"/],
    ] as const) {
      expect(await cli(["draw", "pair.json", "--all", "-o", file], { cwd })).toEqual({
        code: 0,
        stdout: "",
        stderr: "",
      })
      expect(written(file)).toMatch(begins)
    }
  })

  test("--format overrides the file extension, and the default format on stdout is Mermaid", async () => {
    await cli(["draw", "pair.json", "-o", "really.txt", "--format", "svg"], { cwd })
    expect(written("really.txt")).toMatch(/^<svg /)
    expect((await cli(["draw", "pair.json"], { cwd })).stdout).toMatch(/^stateDiagram-v2\n/)
    expect((await cli(["draw", "pair.json", "--format", "scxml"], { cwd })).stdout).toMatch(
      /^<\?xml /,
    )
  })

  test("--all also draws exits, failures and limits", async () => {
    expect((await cli(["draw", "pair.json", "--format", "svg"], { cwd })).stdout).not.toContain(
      ">failed<",
    )
    expect(
      (await cli(["draw", "pair.json", "--format", "svg", "--all"], { cwd })).stdout,
    ).toContain(">failed<")
  })

  test("draw renders a PNG at twice the size of the drawing", async () => {
    await cli(["draw", "pair.json", "-o", "pair.png"], { cwd })
    const [, width] =
      /width="(\d+)"/.exec((await cli(["draw", "pair.json", "--format", "svg"], { cwd })).stdout) ??
      []
    const bytes = readFileSync(join(cwd, "pair.png"))
    expect(bytes.subarray(1, 4).toString()).toBe("PNG")
    expect(bytes.readUInt32BE(16)).toBe(2 * Number(width))
  })

  test.skipIf(!existsSync("/usr/bin/script"))(
    "in a terminal, draw writes the drawing to a file next to the workflow",
    async () => {
      const folder = folderWith(samples)
      const draw = (args: string): Promise<string> =>
        // `script` runs a command in a new terminal.
        start(["-qec", `'${process.execPath}' '${main}' draw ${args}`, "/dev/null"], {
          cwd: folder,
          command: "/usr/bin/script",
        }).ended.then(({ stdout }) => stdout)
      const said = await draw("pair.json")
      expect(said).toContain("Written to pair.svg")
      expect(said).not.toContain("<svg")
      expect(readFileSync(join(folder, "pair.svg"), "utf8")).toMatch(/^<svg /)
      expect(await draw("pair.json --format json")).toContain("Written to pair.picture.json")
      expect(readFileSync(join(folder, "pair.json"), "utf8")).toContain("rootAgentId")
      expect(await draw("pair.json -o -")).toContain("stateDiagram-v2")
    },
  )

  test("a PNG requires -o with a file", async () => {
    const { code, stderr } = await cli(["draw", "pair.json", "--format", "png"], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain("-o workflow.png")
  })

  test("an unknown format is rejected with the list of formats", async () => {
    const { code, stderr } = await cli(["draw", "pair.json", "--format", "gif"], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/svg, png, mermaid, json, xstate, scxml/)
    expect(existsSync(join(cwd, "gif"))).toBe(false)
  })
})

describe.skipIf(!isBuilt)("draw without the optional packages", () => {
  /** Returns environment variables with which Node does not find a package. */
  const without = (name: string): Readonly<Record<string, string>> => {
    const hooks = `export const resolve = (asked, context, next) => { if (asked.replace("#", "").startsWith(${JSON.stringify(name)})) throw new Error("not here"); return next(asked, context) }`
    const setup = `import { register } from "node:module"; register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}))`
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(setup)}` }
  }

  test.each([
    ["elkjs", "pair.svg", "npm install elkjs@"],
    ["@resvg/resvg-js", "pair.png", "npm install @resvg/resvg-js@"],
  ])(
    "without %s, draw prints the command that installs the package for %s",
    async (name, file, fix) => {
      const { code, stderr } = await cli(["draw", "pair.json", "--all", "-o", file], {
        cwd: folderWith(samples),
        env: without(name),
      })
      expect(code).not.toBe(0)
      expect(stderr).toContain("drawing_package_missing")
      expect(stderr).toContain(fix)
    },
  )

  test("draw --format xstate works without elkjs", async () => {
    const { code } = await cli(["draw", "pair.json", "--format", "xstate"], {
      cwd: folderWith(samples),
      env: without("elkjs"),
    })
    expect(code).toBe(0)
  })
})
