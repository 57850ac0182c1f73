import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt } from "./command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const agent = (id: string, fields: object = {}): object => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `http://llm.test/${id}`, method: "POST" },
  ...fields,
})
const person = (id: string, outputKey: string): object => ({
  type: "HumanAgent",
  id,
  prompt: "?",
  outputKey,
})
const sequence = (...agents: readonly (object & { readonly id?: string })[]): object => ({
  rootAgentId: "s",
  agents: [
    { type: "SequentialAgent", id: "s", subAgents: agents.map(({ id }) => ({ agentId: id })) },
    ...agents,
  ],
})

const cwd = folderWith({
  "plain.json": JSON.stringify({
    ...sequence(agent("a", { tools: ["find"] }), agent("b")),
    globalTools: [
      {
        type: "HttpTool",
        id: "find",
        httpConfig: { url: "http://tools.test/find", method: "POST" },
      },
    ],
  }),
  "lost.json": JSON.stringify(sequence(person("first", "note"), person("second", "note"))),
  "prices.json": JSON.stringify({
    "http://llm.test/a": { perCall: 0.25 },
    "*": { input: 1, output: 2, maxInputTokens: 1000, maxOutputTokens: 500 },
  }),
  "run-prices.json": JSON.stringify({ "*": { input: 1, output: 2 } }),
  "wrong-prices.json": JSON.stringify({ small: { perToken: 1 } }),
})

describe.skipIf(!isBuilt)(
  `the bounds and findings that check prints${isBuilt ? "" : " (skipped: dist/cli/main.js is missing, npm run build)"}`,
  () => {
    test("check prints the bounds of a workflow, and --bounds lists the model calls of each agent", async () => {
      const { stdout } = await cli(["check", "plain.json"], { cwd })
      expect(stdout).toBe(
        "✔ plain.json: valid\n  expected: 3 model calls, 1 tool round per run, if each turn has 1 tool round\n  at most 3 model calls, 1 tool round per run, if a turn has 1 tool round; the limit is 500 model calls\n",
      )
      const more = await cli(["check", "plain.json", "--bounds", "--tool-rounds", "3"], { cwd })
      expect(more.stdout).toContain(
        "at most 5 model calls, 3 tool rounds per run, if a turn has 3 tool rounds",
      )
      expect(more.stdout).toContain("    model calls: 5\n      s/a: 4\n      s/b: 1\n")
    })

    test("--services warns of services that the module does not export, and of undeclared tools", async () => {
      const folder = folderWith({
        "agent.yaml":
          "name: clerk\nmodel: m\ninstruction: Help.\ntools: [find, pay]\nbefore_model_callbacks: [{name: guard}]\n",
        "code.mjs": "export const services = { find: () => 1, guardd: () => {} }",
        "declared.mjs": `export const services = { find: () => 1, pay: () => 1, guard: () => {} }
          export const declarations = [
            { name: "find", kind: "tool", description: "Finds." },
            { name: "pay", kind: "tool", parameters: { type: "object", properties: { sum: { type: "number" } } } },
          ]`,
      })
      const check = (module: string) =>
        cli(["check", "agent.yaml", "--services", module], { cwd: folder })
      const { stdout } = await check("code.mjs")
      expect(stdout).toContain('uses "pay", which is not registered as a tool')
      expect(stdout).toContain('uses "guard", which is not registered as a callback')
      expect(stdout).toContain('Did you mean "guardd"?')
      expect(stdout).not.toContain('uses "find"')
      expect(stdout).not.toContain('uses "m"')
      expect(stdout).toContain("\n  find has no declaration, so models receive neither")
      const declared = await check("declared.mjs")
      expect(declared.stdout).toContain("✔ agent.yaml: valid\n")
      expect(declared.stdout).not.toContain("no declaration")
    })

    test("check prints a finding with its fix, and exits with code 2 if --fail-on includes it", async () => {
      const { code, stdout } = await cli(["check", "lost.json"], { cwd })
      expect(code).toBe(0)
      expect(stdout).toMatch(
        /^warning: overwritten_unread at "first" \(lost\.json\)\n {2}The value that "first" writes to the key "note" is lost, because .*\n {2}Use a different outputKey for one of the two agents\.$/m,
      )
      expect(stdout).toContain(
        "lost.json: valid, with 1 warning\n  expected: 0 model calls, 2 human waits per run\n  at most 0 model calls, 2 human waits per run\n",
      )
      expect((await cli(["check", "lost.json", "--fail-on", "warning"], { cwd })).code).toBe(2)
      expect((await cli(["check", "plain.json", "--fail-on", "warning"], { cwd })).code).toBe(0)
    })

    test("check accepts a compiled chart, and reports an unknown guard and a dead end in edited charts", async () => {
      await cli(["compile", "plain.json", "-o", "plain.chart.json"], { cwd })
      expect((await cli(["check", "plain.chart.json"], { cwd })).stdout).toContain(
        "plain.chart.json: valid\n  expected: 3 model calls",
      )
      const broken = readFileSync(join(cwd, "plain.chart.json"), "utf8").replace(
        '"type": "completed"',
        '"type": "compleated"',
      )
      expect(await cli(["check", "-"], { input: broken })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('uses the guard "compleated", which does not exist'),
      })
      const chart = JSON.parse(readFileSync(join(cwd, "plain.chart.json"), "utf8")) as {
        readonly machines: {
          readonly s: {
            readonly states: {
              readonly s: { readonly states: { b: { invoke: { onDone: unknown[] } } } }
            }
          }
        }
      }
      chart.machines.s.states.s.states.b.invoke.onDone = []
      const { code, stdout } = await cli(["check", "-"], { input: JSON.stringify(chart) })
      expect(code).toBe(2)
      expect(stdout).toMatch(/^dead_end at "b" \(<stdin>\)$/m)
      expect(stdout).toContain("✖ <stdin>: 1 error")
    })

    test("the text output folds problems of the same kind, and --json lists all of them", async () => {
      const names = Array.from({ length: 9 }, (_, index) => `lost${index}`)
      const folder = folderWith({
        "lost.json": JSON.stringify({
          rootAgentId: "s",
          agents: [
            {
              type: "SequentialAgent",
              id: "s",
              subAgents: names.map((agentId) => ({ agentId })),
            },
          ],
        }),
      })
      const text = (await cli(["check", "lost.json"], { cwd: folder })).stdout
      expect(text).toContain('"lost2"')
      expect(text).not.toContain('"lost3"')
      expect(text).toContain("… and 6 more of the same kind. To list all, use check --json.")
      expect(text).toContain("9 errors")
      const json = (await cli(["check", "lost.json", "--json"], { cwd: folder })).stdout
      for (const name of names) expect(json).toContain(name)
    })

    test("check --json prints the analysis in addition to the diagnostics", async () => {
      const { stdout } = await cli(["check", "lost.json", "--json"], { cwd })
      expect(JSON.parse(stdout)).toMatchObject([
        {
          file: "lost.json",
          ok: true,
          needs: [],
          diagnostics: [],
          analysis: {
            states: { unreachable: [], deadEnds: [] },
            cycles: [],
            bounds: { humanWaits: { most: 2 }, ceiling: 0 },
            findings: [
              { code: "overwritten_unread", severity: "warning", agent: "first", key: "note" },
            ],
          },
        },
      ])
    })

    test("check --prices prints a bound on the cost, and rejects an invalid price file", async () => {
      expect(
        (await cli(["check", "plain.json", "--prices", "prices.json"], { cwd })).stdout,
      ).toContain("1 tool round, a cost of 0.502 per run")
      expect(
        (await cli(["check", "plain.json", "--prices", "run-prices.json"], { cwd })).stdout,
      ).toContain("no bound on the cost (add prices with maxInputTokens")
      expect(
        await cli(["check", "plain.json", "--prices", "wrong-prices.json"], { cwd }),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid: "small"') })
      expect(await cli(["check", "plain.json", "--tool-rounds", "-1"], { cwd })).toMatchObject({
        code: 2,
      })
    })

    test("the analysis does not repeat a warning of the compiler", async () => {
      const config = {
        rootAgentId: "p",
        agents: [
          { type: "ParallelAgent", id: "p", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
          agent("a", { outputKey: "draft" }),
          agent("b", { outputKey: "draft" }),
        ],
      }
      const { stdout } = await cli(["check", "-"], { input: JSON.stringify(config) })
      expect(stdout).toContain("branches_write_one_key")
      expect(stdout).not.toContain("branch_race")
      expect(stdout).toContain("valid, with 1 warning")
    })

    test("check prints the output that docs/checking.md shows", async () => {
      const shown = /```text\n([^]*?)```/.exec(readFileSync("docs/checking.md", "utf8"))?.[1]
      expect(
        (await cli(["check", "examples/travel-planner/workflow.json", "--bounds"])).stdout,
      ).toBe(shown)
    })

    test("a run with the scenario of --worst-case makes as many model calls as the bound", async () => {
      const folder = temporaryFolder("agent-statecharts-")
      const { stdout, stderr } = await cli([
        "check",
        "examples/content-loop/workflow.json",
        "--worst-case",
        folder,
      ])
      const most = Number(/at most (\d+) model calls/.exec(stdout)?.[1])
      expect(stderr).toContain(`--scripted ${join(folder, "scenario.json")}`)
      const ran = await cli([
        "run",
        "examples/content-loop/workflow.json",
        "--scripted",
        join(folder, "scenario.json"),
        "--json",
        "--no-journal",
      ])
      expect(ran.code).toBe(0)
      expect(
        ran.stdout.split("\n").filter((line) => line.includes('"type":"model.called"')),
      ).toHaveLength(most)
      expect(
        await cli(["check", "plain.json", "lost.json", "--worst-case", folder], { cwd }),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining("Pass a single file") })
    })

    test("--worst-case writes answers that select a choice of each HumanAgent", async () => {
      const workflow = {
        rootAgentId: "rounds",
        agents: [
          {
            type: "LoopAgent",
            id: "rounds",
            subAgents: [{ agentId: "writer" }, { agentId: "boss" }, { agentId: "budget" }],
            maxAgentLoopIterations: 4,
            loopExitCondition:
              "session_state.get('decision') == 'publish' or session_state.get('limit') == 5",
          },
          { type: "LlmAgent", id: "writer", model: "small", outputKey: "draft" },
          { ...person("boss", "decision"), choices: ["publish", "revise"] },
          { ...person("budget", "limit"), choices: [5, 10] },
        ],
      }
      const folder = folderWith({ "w.json": JSON.stringify(workflow) })
      const { code, stdout, stderr } = await cli(["check", "w.json", "--worst-case", "the worst"], {
        cwd: folder,
      })
      expect(code).toBe(0)
      expect(stdout).toContain("at most 4 model calls, 8 human waits")
      const answers = JSON.parse(readFileSync(join(folder, "the worst", "answers.json"), "utf8"))
      expect(answers).toEqual(
        Array.from({ length: 4 }, () => [{ answer: "revise" }, { answer: "10" }]).flat(),
      )
      // The printed command can be run without changes.
      const [, printed = ""] = / run (.*)$/m.exec(stderr) ?? []
      const words = [...printed.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? "",
      )
      const ran = await cli(["run", ...words, "--prompt", "go", "--json", "--no-journal"], {
        cwd: folder,
      })
      expect(ran.code).toBe(0)
      const typesOf = (type: string): number => ran.stdout.split(`"type":"${type}"`).length - 1
      expect([typesOf("model.called"), typesOf("human.asked")]).toEqual([4, 8])
    })

    test("check prints bounds and no warnings for every example", async () => {
      const files = readdirSync("examples").flatMap((name) =>
        [`examples/${name}/workflow.json`, `examples/${name}/root_agent.yaml`].filter((file) =>
          existsSync(file),
        ),
      )
      const { code, stdout } = await cli(["check", ...files, "--fail-on", "warning"])
      expect(code).toBe(0)
      expect(stdout.match(/^ {2}at most \d+ model calls?/gm)).toHaveLength(files.length)
    })
  },
)
