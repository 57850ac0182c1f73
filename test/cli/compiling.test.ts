import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt, samples } from "./command.js"

const cwd = folderWith(samples)

describe.skipIf(!isBuilt)(
  `check${isBuilt ? "" : " (skipped: dist/cli/main.js is missing, npm run build)"}`,
  () => {
    test("check prints each problem with its line, its column and a fix", async () => {
      const { code, stdout } = await cli(["check", "broken.json"], { cwd })
      expect(code).toBe(2)
      expect(stdout).toMatch(
        /^unknown_agent at \/agents\/0\/subAgents\/0\/agentId \(broken\.json:4:\d+\)\n {2}.*"critc".*\n {2}Did you mean "critic"\?/,
      )
      expect(stdout).toMatch(
        /^warning: unknown_field at \/agents\/1\/outputkey \(broken\.json:5:\d+\)$/m,
      )
      expect(stdout).toContain("broken.json: 1 error, 1 warning")
    })

    test("check counts the valid files, and exits with code 2 if one file has an error", async () => {
      const { code, stdout } = await cli(["check", "pair.json", "broken.json"], { cwd })
      expect(code).toBe(2)
      expect(stdout).toContain("1 of 2 files are valid")
    })

    test("check exits with code 0 if a config has no errors", async () => {
      const { code, stdout } = await cli(["check", "pair.json"], { cwd })
      expect(code).toBe(0)
      expect(stdout).toMatch(/pair\.json: valid/)
    })

    test("check --json reads a config from stdin and prints its diagnostics as JSON", async () => {
      const { code, stdout } = await cli(["check", "-", "--json"], {
        cwd,
        input: samples["broken.json"],
      })
      expect(code).toBe(2)
      expect(JSON.parse(stdout)).toMatchObject([
        {
          file: "<stdin>",
          ok: false,
          diagnostics: [
            { code: "unknown_agent", severity: "error", line: 4 },
            { code: "unknown_field" },
          ],
        },
      ])
    })

    test("check prints hints only with --hints", async () => {
      const loop = {
        rootAgentId: "l",
        agents: [
          { type: "LoopAgent", id: "l", maxAgentLoopIterations: 3, subAgents: [{ agentId: "a" }] },
          { type: "LlmAgent", id: "a", httpConfig: { url: "http://llm.test/a", method: "POST" } },
        ],
      }
      const input = JSON.stringify(loop)
      expect((await cli(["check", "-"], { input })).stdout).not.toContain("hint")
      expect((await cli(["check", "-", "--hints"], { input })).stdout).toContain(
        "hint: no_exit_but_maximum at",
      )
    })
  },
)

describe.skipIf(!isBuilt)("compile and draw", () => {
  test("compile prints a chart as JSON, or writes it to the file of -o", async () => {
    const { code, stdout } = await cli(["compile", "pair.json"], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, root: "pair" })
    expect(await cli(["compile", "pair.json", "-o", "out/pair.chart.json"], { cwd })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    })
    expect(readFileSync(join(cwd, "out/pair.chart.json"), "utf8")).toBe(stdout)
  })

  test("draw prints the same drawing for a config and for its chart", async () => {
    await cli(["compile", "pair.json", "-o", "drawn.chart.json"], { cwd })
    const fromConfig = await cli(["draw", "pair.json"], { cwd })
    const fromChart = await cli(["draw", "drawn.chart.json"], { cwd })
    expect(fromConfig.code).toBe(0)
    expect(fromConfig.stdout).toMatch(/^stateDiagram-v2\n/)
    expect(fromChart.stdout).toBe(fromConfig.stdout)
    expect((await cli(["draw", "pair.json", "--detail", "all"], { cwd })).stdout).toContain(
      "failed",
    )
  })

  test("compile prints the diagnostics of an invalid config to stderr, and no chart", async () => {
    const { code, stdout, stderr } = await cli(["compile", "broken.json"], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain("unknown_agent at /agents/0/subAgents/0/agentId (broken.json:4:")
  })

  test("draw rejects a chart with an unknown format version", async () => {
    const { code, stderr } = await cli(["draw", "-"], { input: '{"formatVersion":7}' })
    expect(code).toBe(2)
    expect(stderr).toContain("chart_invalid: <stdin> is a chart of format 7")
  })
})

describe.skipIf(!isBuilt)("the usage of the command line", () => {
  test("--version prints the version of the package", async () => {
    const { version } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { readonly version: string }
    expect(await cli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" })
  })

  test.for(["check", "compile", "draw", "run", "scripted-llm", "demo"])(
    "%s --help shows examples",
    async (command) => {
      const { code, stdout } = await cli([command, "--help"])
      expect(code).toBe(0)
      expect(stdout).toMatch(/Examples:\n {2}agent-statecharts/)
    },
  )

  test("usage errors exit with code 2, and their messages contain a fix", async () => {
    const unknown = await cli(["chek"])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain("Did you mean check?")
    expect((await cli([])).code).toBe(2)
    expect(await cli(["check", "nowhere.json"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the file nowhere.json does not exist"),
    })
    expect(await cli(["run", "pair.json", "--state", "[1]"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--state must be a JSON object"),
    })
    expect(await cli(["run", "pair.json", "--scripted", "pair.json.nope"], { cwd })).toMatchObject({
      code: 2,
    })
    expect(await cli(["run", "pair.json", "--max-response-bytes", "many"], { cwd })).toMatchObject({
      code: 2,
    })
    expect(await cli(["demo", "nothing"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("travel-planner"),
    })
  })

  test("errors are printed with a stack trace only with --debug", async () => {
    const scenario = ["run", "pair.json", "--scripted", "bad.scenario.json"]
    const folder = folderWith({ ...samples, "bad.scenario.json": { llm: { asker: [{}] } } })
    const plain = await cli(scenario, { cwd: folder })
    expect(plain.code).toBe(2)
    expect(plain.stderr).toMatch(/^scenario_invalid: bad\.scenario\.json is not a valid scenario/)
    expect(plain.stderr).not.toMatch(/^\s+at .*\.js:/m)
    expect((await cli([...scenario, "--debug"], { cwd: folder })).stderr).toMatch(/^\s+at .*\.js:/m)
  })
})

describe.skipIf(!isBuilt)("to-workflow", () => {
  test("to-workflow prints the files of the graph to stdout, and unsupported features to stderr", async () => {
    const { code, stdout, stderr } = await cli(["to-workflow", "pair.json"], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^# root_agent\.yaml\nagent_class: Workflow\n[^]*- START\n {4}- asker\.yaml\n {4}- teller\.yaml/,
    )
    expect(stderr).toContain("Not supported in a Workflow graph")
  })

  test("to-workflow -o writes a folder that draw accepts", async () => {
    const folder = folderWith(samples)
    expect(await cli(["to-workflow", "pair.json", "-o", "graph"], { cwd: folder })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Wrote 3 files to graph"),
    })
    expect((await cli(["draw", "graph"], { cwd: folder })).stdout).toContain("(graph)")
  })

  test("to-workflow exits with code 2 if the config is invalid", async () => {
    expect(await cli(["to-workflow", "broken.json"], { cwd })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("unknown_agent at"),
    })
  })
})
