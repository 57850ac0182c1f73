import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt } from "./command.js"

const broken =
  "agent_class: SequentialAgent\nname: all\nsub_agents:\n  - config_path: nowhere.yaml\n  - config_path: ../outside.yaml\n"

describe.skipIf(!isBuilt)("a folder of Agent Config YAML on the command line", () => {
  test("check prints the bounds, the required models, and the file, line and column of each problem", async () => {
    const { code, stdout } = await cli(["check", "examples/adk-yaml-team"])
    expect(code).toBe(0)
    expect(stdout).toBe(
      "✔ examples/adk-yaml-team: valid\n  expected: 5 model calls, 1 tool round, 1 human wait per invocation, if each turn has 1 tool round and each loop runs once\n  at most 9 model calls, 1 tool round, 1 human wait per invocation, if a turn has 1 tool round; the limit is 500 model calls\n  needs models: large (reporter and 1 more), small (archive and 1 more)\n",
    )
    const cwd = folderWith({ "root_agent.yaml": broken })
    const wrong = await cli(["check", "."], { cwd })
    expect(wrong.code).toBe(2)
    expect(wrong.stdout).toMatch(
      /^missing_file at \/sub_agents\/0\/config_path \(root_agent\.yaml:4:18\)$/m,
    )
    expect(wrong.stdout).toMatch(
      /^path_outside at \/sub_agents\/1\/config_path \(root_agent\.yaml:5:18\)$/m,
    )
    expect(
      (await cli(["check", "root_agent.yaml", "--allow-outside"], { cwd })).stdout,
    ).not.toContain("path_outside")
  })

  test("check --json prints the path of the folder and the models that its workflow needs", async () => {
    const { stdout } = await cli(["check", "examples/adk-yaml-team", "--json"])
    expect(JSON.parse(stdout)).toMatchObject([
      {
        file: "examples/adk-yaml-team",
        ok: true,
        needs: [{ name: "large", kind: "model" }, { name: "small" }],
        diagnostics: [],
      },
    ])
  })

  test("compile, draw and run accept a folder, and compile also accepts its root_agent.yaml", async () => {
    const compiled = await cli(["compile", "examples/adk-yaml-team"])
    expect(JSON.parse(compiled.stdout)).toMatchObject({ dialect: "adk", root: "newsroom" })
    expect((await cli(["compile", "examples/adk-yaml-team/root_agent.yaml"])).stdout).toBe(
      compiled.stdout,
    )
    expect((await cli(["draw", "examples/adk-yaml-team"])).stdout).toMatch(/^stateDiagram-v2\n/)
    const run = await cli([
      "run",
      "examples/adk-yaml-team",
      "--scripted",
      "examples/adk-yaml-team/scenario.json",
      "--answers",
      "examples/adk-yaml-team/answers.json",
      "--quiet",
    ])
    expect(run).toEqual({ code: 0, stdout: "page one\n", stderr: "" })
  })

  test("a folder without root_agent.yaml and a missing file exit with code 2", async () => {
    const cwd = folderWith({})
    mkdirSync(join(cwd, "empty"))
    expect(await cli(["check", "empty"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the folder empty does not contain a root_agent.yaml"),
    })
    expect(await cli(["run", "nowhere.yaml"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the file nowhere.yaml does not exist"),
    })
  })

  test("check reads a YAML config from stdin", async () => {
    const { stdout } = await cli(["check", "-"], {
      input: "name: writer\nmodel: large\ninstrucion: Write.\n",
    })
    expect(stdout).toMatch(/^warning: unknown_field at \/instrucion \(<stdin>:3:1\)$/m)
  })
})
