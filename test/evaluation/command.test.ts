import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith } from "../cli/command.js"

const agent = "name: talker\nmodel: small\ninstruction: Answer.\noutput_key: last\n"

/** Returns an eval set with a turn for each case. */
const evalSet = (cases: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    eval_set_id: "set",
    eval_cases: Object.entries(cases).map(([id, reference]) => ({
      eval_id: id,
      conversation: [
        {
          user_content: { parts: [{ text: `Question ${id}` }] },
          final_response: { parts: [{ text: reference }] },
        },
      ],
    })),
  })

const config = JSON.stringify({ criteria: { response_match_score: 0.8 } })
const scenario = (text: string): string =>
  JSON.stringify({ llm: { talker: [{ content: text, repeat: true }] } })

const hostile =
  "]]><b>@team</b> `code` ```\n| a | [link](http://evil.test) \u001b[31mred\u0000 <!-- -->"

function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith({ "agent.yaml": agent })
  mkdirSync(join(folder, "evals"))
  const all = {
    "evals/test_config.json": config,
    "evals/one.test.json": evalSet({ right: "blue", wrong: "green" }),
    "scenario.json": scenario("blue"),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  return folder
}

const evaluation = ["eval", "agent.yaml", "evals", "--scripted", "scenario.json"]

interface Report {
  readonly sets: readonly {
    readonly cases: Readonly<Record<string, { readonly status: string }>>
  }[]
  readonly summary: unknown
  readonly errors: readonly { readonly code: string; readonly file: string; readonly at?: string }[]
}

describe("the command eval", () => {
  test("prints a table with the differences of failed criteria", async () => {
    const { code, stdout } = await cli(evaluation, { cwd: project() })
    expect(code).toBe(1)
    expect(stdout).toContain("✓ right")
    expect(stdout).toContain("✗ wrong")
    expect(stdout).toContain("turn 1: expected “green”, actual “blue”")
    expect(stdout).toContain("2 cases: 1 passed, 1 failed, 0 not evaluated. 2 model calls,")
  })

  test("selects cases, and reports cases that do not exist", async () => {
    const cwd = project()
    expect((await cli([...evaluation, "--case", "right"], { cwd })).code).toBe(0)
    const args = ["eval", "agent.yaml", "evals/one.test.json:right,none", "--json"]
    const { code, stdout } = await cli([...args, "--scripted", "scenario.json"], { cwd })
    expect(code).toBe(2)
    const { errors } = JSON.parse(stdout) as Report
    expect(errors.map((problem) => problem.code)).toEqual(["nothing_to_evaluate"])
  })

  test("reports the errors of all files and makes no call", async () => {
    const cwd = project({
      "evals/b.evalset.json": '{"eval_cases": [{"conversation": []}]}',
      "evals/c.evalset.json": "{",
      "evals/test_config.json": '{"criteria": {"response_match_scor": 1}}',
    })
    const { code, stdout } = await cli([...evaluation, "--json"], { cwd })
    expect(code).toBe(2)
    const { errors, sets } = JSON.parse(stdout) as Report
    expect(sets).toEqual([])
    expect(errors.map(({ code: one, file, at }) => `${one} ${file} ${at}`).sort()).toEqual([
      "criterion_unknown evals/test_config.json /criteria/response_match_scor",
      "evalset_invalid evals/b.evalset.json /eval_cases/0/conversation",
      "evalset_invalid evals/b.evalset.json /eval_cases/0/eval_id",
      "evalset_invalid evals/c.evalset.json ",
    ])
  })

  test("escapes texts of models in all reports", async () => {
    const cwd = project({ "scenario.json": scenario(hostile) })
    const outputs = ["--junit", "eval.xml", "--markdown", "eval.md", "--details"]
    const { stdout } = await cli([...evaluation, ...outputs], { cwd, isScreen: true })
    expect(stdout).not.toContain("\u001b[31mred")
    const xml = readFileSync(join(cwd, "eval.xml"), "utf8")
    expect(xml).toContain("]]&gt;&lt;b&gt;@team&lt;/b&gt;")
    // oxlint-disable-next-line no-control-regex
    expect(xml).not.toMatch(/[\u0000-\u0008\u001b]/)
    const markdown = readFileSync(join(cwd, "eval.md"), "utf8")
    const [before = "", fence = ""] = /^[^]*?(`{4,})text\n/.exec(markdown) ?? []
    expect(before).not.toContain("@team")
    expect(markdown.split(fence)[1]).toContain("@team")
    // oxlint-disable-next-line no-control-regex
    expect(markdown).not.toMatch(/[\u0000-\u0008\u001b]/)
  })

  test("escapes ids of cases in Markdown", async () => {
    const id = "a|b <img src=x> @team [x](http://evil.test) *y*"
    const cwd = project({ "evals/one.test.json": evalSet({ [id]: "green" }) })
    const { stdout } = await cli([...evaluation, "--markdown", "-"], { cwd })
    expect(stdout).not.toMatch(/<img|@team|\]\(http|[^\\]\|b/)
  })

  test("writes a report to stdout only once", async () => {
    const { code, stderr } = await cli([...evaluation, "--json", "--junit", "-"], {
      cwd: project(),
    })
    expect(code).toBe(2)
    expect(stderr).toContain("--json and --junit - both write to stdout")
  })

  test("continues after the finished cases of an interrupted evaluation", async () => {
    const cwd = project()
    const args = [...evaluation, "--json", "--resume", "finished.jsonl"]
    await cli(args, { cwd })
    const file = join(cwd, "finished.jsonl")
    const lines = readFileSync(file, "utf8").split("\n")
    expect(lines).toHaveLength(4)
    // The process was killed after one case, while it wrote the next line.
    writeFileSync(file, `${lines.slice(0, 2).join("\n")}\n${lines[2]?.slice(0, 20)}`)
    const { code, stdout, stderr } = await cli(args, { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain("finished before")
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { cases: 2, passed: 1, failed: 1, notEvaluated: 0 },
    })
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4)
    const other = await cli([...args, "--strict"], { cwd })
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Delete it")])
  })

  test("continues after the finished cases of an interrupted comparison", async () => {
    const cwd = project({ "edited.yaml": agent.replace("Answer.", "Answer briefly.") })
    const args = [...evaluation, "--with", "edited.yaml", "--json", "--resume", "finished.jsonl"]
    const first = await cli(args, { cwd })
    const file = join(cwd, "finished.jsonl")
    const lines = readFileSync(file, "utf8").split("\n")
    expect(lines).toHaveLength(4)
    writeFileSync(file, `${lines.slice(0, 2).join("\n")}\n`)
    const { code, stdout, stderr } = await cli(args, { cwd })
    expect([code, stderr]).toEqual([first.code, expect.stringContaining("1 cases were finished")])
    const durations = /"(invocation_)?duration(_v1)?": [\d.e-]+|"runs": \[[^\]]*\]/g
    expect(stdout.replaceAll(durations, "")).toBe(first.stdout.replaceAll(durations, ""))
    // An evaluation of one workflow does not read the results of a comparison.
    const other = await cli([...evaluation, "--resume", "finished.jsonl"], { cwd })
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Delete it")])
  })

  test("replays the cassettes that it has recorded, without calls", async () => {
    const cwd = project({ "evals/one.test.json": evalSet({ "../right": "blue" }) })
    expect((await cli([...evaluation, "--record", "tapes"], { cwd })).code).toBe(0)
    expect(existsSync(join(cwd, "tapes/set/..%2Fright.0.json"))).toBe(true)
    const { code, stdout } = await cli(
      ["eval", "agent.yaml", "evals", "--cassette", "tapes", "--json"],
      { cwd },
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ calls: { models: 0, tools: 0, tokens: 0 } })
  })

  test("reports a judge model without a service and without scripted responses", async () => {
    const cwd = project({
      "evals/test_config.json": '{"criteria": {"final_response_match_v2": 0.5}}',
    })
    const { code, stdout } = await cli([...evaluation, "--json"], { cwd })
    expect(code).toBe(2)
    expect((JSON.parse(stdout) as Report).errors.map((problem) => problem.code)).toEqual([
      "model_missing",
    ])
    expect((await cli([...evaluation, "--no-judge"], { cwd })).stderr).not.toContain(
      "model_missing",
    )
  })

  test("fails cases without a score only with --strict", async () => {
    const cwd = project({
      "evals/test_config.json": JSON.stringify({
        criteria: { response_match_score: 0.1, safety_v1: 0.8 },
      }),
      "evals/one.test.json": evalSet({ right: "blue" }),
    })
    const loose = await cli(evaluation, { cwd })
    expect([loose.code, loose.stderr]).toEqual([
      0,
      expect.stringContaining("criterion_unsupported"),
    ])
    expect((await cli([...evaluation, "--strict"], { cwd })).code).toBe(1)
  })
})
