import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt, start } from "../cli/command.js"
import { hostile, hostileChart, hostileScenario } from "./hostile-chart.js"

const hidden = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The color codes of `createPaint`, and the codes that redraw the tree of agents. */
// oxlint-disable-next-line no-control-regex
const ownCodes = /\u001b\[(?:[01235]\d?m|\d+A|K|J|\?25[lh])/g

/** The arguments of a program cannot contain a zero byte or an unpaired surrogate. */
const typed = `x${hostile}`

const http = { url: "http://llm.test/w", method: "POST" }
const cwd = folderWith({
  "chart.json": hostileChart(),
  "scenario.json": hostileScenario,
  "failing.json": { llm: { payer: [{ status: 400, body: { error: hostile } }] } },
  "bad.json": {
    rootAgentId: typed,
    agents: [
      { type: `LlmAgent${hostile}`, id: typed },
      { type: "LlmAgent", id: "w", [hostile]: 1, subAgents: [{ agentId: hostile }] },
    ],
  },
  "bad.yaml": `name: a\nagent_class: LlmAgent\n"b\\e[31m\\u202e": 1\nc: *d\u009b2J\u200b\n`,
  "bad-chart.json": { formatVersion: hostile },
  "schedules.json": {
    schedules: [
      { name: "hourly", workflow: hostile, cron: "0 * * * *" },
      { name: "daily", workflow: typed, every: "1d", input: { prompt: hostile } },
    ],
  },
  "bad-schedules.json": {
    [hostile]: 1,
    schedules: [
      { name: typed, workflow: hostile, cron: hostile, timezone: hostile, missed: hostile },
      { name: "x", workflow: "w", every: hostile, [hostile]: 1 },
    ],
  },
  "prices.json": { [hostile]: hostile },
  "answers.json": [{ [hostile]: hostile }],
  "evals.json": {
    eval_set_id: hostile,
    eval_cases: [
      {
        eval_id: hostile,
        conversation: [
          {
            user_content: { parts: [{ text: hostile }] },
            final_response: { parts: [{ text: hostile }] },
          },
        ],
      },
    ],
  },
  "bad-evals.json": { eval_set_id: "s", eval_cases: [{ eval_id: hostile, [hostile]: 1 }] },
  "ok.json": {
    rootAgentId: "w",
    initialUserInput: hostile,
    state: { [hostile]: hostile },
    agents: [
      { type: "LlmAgent", id: "w", instructions: hostile, description: hostile, httpConfig: http },
    ],
  },
  "other.json": { rootAgentId: "w", agents: [{ type: "LlmAgent", id: "w", httpConfig: http }] },
})
const served = join(cwd, "served")
mkdirSync(served)
writeFileSync(
  join(served, `bad${typed}.json`.replaceAll("/", "")),
  JSON.stringify({ rootAgentId: hostile, agents: [{ type: hostile, id: hostile }] }),
)

const scripted = ["--scripted", "scenario.json"]
const waiting = ["chart.json", ...scripted, "--prompt", typed]

/**
 * Every command in each of its output formats. The order matters, because later commands read the runs of earlier commands.
 */
const walks: readonly (readonly string[])[] = [
  ["check", "chart.json"],
  ["check", "chart.json", "--bounds"],
  ["check", "chart.json", "ok.json", "bad.json", "bad.yaml", "--hints"],
  ["check", "chart.json", "ok.json", "bad.json", "--json"],
  ["check", "bad-chart.json"],
  ["check", "ok.json", "--prices", "prices.json"],
  ["check", typed],
  ["compile", "ok.json"],
  ["compile", "bad.json"],
  ["draw", "chart.json", "--format", "json"],
  ["to-workflow", "bad.json"],
  ["test-plan", "chart.json"],
  ["run", ...waiting, "--run-id", "r1"],
  ["run", ...waiting, "--no-journal"],
  ["run", ...waiting, "--no-journal", "-q"],
  ["run", ...waiting, "--no-journal", "--json"],
  ["run", ...waiting, "--no-journal", "--answers", "answers.json"],
  ["run", "chart.json", "--scripted", "failing.json", "--prompt", "x", "--run-id", "r2"],
  ["run", "chart.json", "--scripted", "failing.json", "--prompt", "x", "--no-journal", "-q"],
  ["run", "ok.json", "--openai", `http://127.0.0.1:1/${typed}`, "--no-journal"],
  ["run", "chart.json", `--${typed}`],
  ["faults", "chart.json", ...scripted],
  ["faults", "chart.json", ...scripted, "--kinds", typed],
  ["faults", "chart.json", ...scripted, "--json"],
  ["eval", "chart.json", "evals.json", ...scripted, "--details"],
  ["eval", "chart.json", "evals.json", ...scripted, "--json"],
  ["eval", "chart.json", "evals.json", ...scripted, "--markdown", "-"],
  ["eval", "chart.json", "bad-evals.json", ...scripted],
  ["eval", "chart.json", typed, ...scripted],
  ["runs", "list"],
  ["runs", "list", "--json"],
  ["runs", "show", "r1"],
  ["runs", "show", "r1", "--json"],
  ["runs", "show", "r1", "--at", "1"],
  ["runs", "show", "r1", "--at", "1", "--json"],
  ["runs", "show", typed],
  ["runs", "pending"],
  ["runs", "pending", "r1", "--json"],
  ["runs", "verify"],
  ["runs", "verify", typed],
  ["runs", "delete", typed],
  ["runs", "prune", "--older-than", "0m", "--dry-run"],
  ["runs", "prune", "--older-than", "0m", "--status", typed],
  ["schedules", "schedules.json"],
  ["schedules", "schedules.json", "--json"],
  ["schedules", "bad-schedules.json"],
  ["schedules", typed],
  ["coverage", "chart.json", "--missing"],
  ["coverage", "chart.json", "--missing", "--json"],
  ["replay", "r1", "--config", "chart.json"],
  ["replay", "r1", "--config", "ok.json"],
  ["replay", "r1", "--config", "other.json", "--json"],
  ["replay", "r1", "--config", "other.json", "--adopt"],
  ["replay", "--with", "other.json", "--run", "r1", "--offline"],
  ["replay", "--with", "other.json", "--run", "r1", "--offline", "--json"],
  ["migrate", "--to", "other.json", "--dry-run"],
  ["migrate", "--to", "bad.json"],
  ["migrate", "--to", "other.json", "--workflow", typed],
  ["users", "delete", typed, "--dry-run"],
  ["users", "delete", typed, "--json"],
  ["fork", "r1", "--at", "1", "--run-id", "f1", ...scripted],
  ["fork", "r1", "--at", "1", "--run-id", "f2", ...scripted],
  ["fork", "r1", "--at", "1", "--run-id", "f3", "--state", JSON.stringify({ [hostile]: 1 })],
  ["resume", "f1", ...scripted],
  ["runs", "say", "f1", typed, ...scripted],
  ["runs", "deliver", "f1", typed, "{}", ...scripted],
  ["runs", "reject", "f1", "--reason", typed, ...scripted],
  ["runs", "approve", "f2", ...scripted],
  ["runs", "answer", "f2", typed, ...scripted],
  ["runs", "show", "f2"],
  ["runs", "end", "f3", ...scripted],
  ["runs", "cancel", "f3", ...scripted],
  ["init", "served", "--no-install", "--no-run"],
  ["init", typed, "--no-install"],
  ["init", "ok.json", "--no-install"],
  ["schema", "scenario"],
  ["schema", typed],
  ["draw", "chart.json", `--format=${typed}`],
  ["demo", typed],
  ["demo", "--list"],
]

/** Commands whose output goes to a terminal. There, documents are escaped too, lines have colors, and a run is drawn as a tree. */
const onScreen: readonly (readonly string[])[] = [
  ["check", "chart.json", "bad.json"],
  ["compile", "ok.json"],
  ["draw", "chart.json", "-o", "-"],
  ["draw", "chart.json", "--format", "svg", "-o", "-"],
  ["draw", "chart.json", "--format", "scxml", "-o", "-"],
  ["draw", "chart.json", "--format", "xstate", "-o", "-"],
  ["draw", "chart.json"],
  ["to-workflow", "ok.json"],
  ["run", ...waiting, "--run-id", "s1"],
  ["run", ...waiting, "--no-journal", "-q"],
  ["runs", "list"],
  ["runs", "show", "s1"],
  ["runs", "pending", "s1"],
  ["schedules", "schedules.json"],
  ["replay", "s1", "--config", "other.json"],
  ["runs", "approve", "s1", ...scripted],
  ["runs", "answer", "s1", typed, ...scripted],
  ["runs", "delete", "r1"],
  ["runs", "prune", "--older-than", "0m", "--json"],
]

/** Commands that run until Ctrl-C, and the text that they print when they are ready. */
const serving: readonly (readonly [args: readonly string[], ready: string])[] = [
  [["serve", served, "--scripted"], "Ctrl-C"],
  [["studio", served], "Ctrl-C"],
  [["mcp", served], "Runs are stored in"],
  [["scripted-llm", "scenario.json"], "Ctrl-C"],
]

/** Returns the commands that a help text lists. */
async function commandsIn(...of: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await cli([...of, "--help"])
  const list = /^Commands:\n((?: .*\n)+)/m.exec(stdout)?.[1] ?? ""
  return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = ""]) => name)
}

function expectPlain(output: string, isProse = false): void {
  expect(output).not.toBe("")
  expect(hidden.exec(output)?.[0] ?? "").toBe("")
  // Prose and fenced text in Markdown may contain line breaks.
  if (!isProse) expect(output).not.toMatch(/^FORGED/m)
}

describe.skipIf(!isBuilt)("commands that print hostile text", () => {
  test("the lists of this file contain every command", async () => {
    const walked = [...walks, ...serving.map(([args]) => args)]
    const all = (await commandsIn()).filter((name) => name !== "help")
    const ofRuns = (await commandsIn("runs")).filter((name) => name !== "help")
    expect(all.length).toBeGreaterThan(10)
    expect(all.filter((name) => !walked.some(([first]) => first === name))).toEqual([])
    expect(
      ofRuns.filter((name) => !walked.some(([first, next]) => first === "runs" && next === name)),
    ).toEqual([])
  })

  test.each(walks.map((args) => ({ args, name: args.join(" ").replaceAll(hostile, "<hostile>") })))(
    "the output of `$name` contains no hidden characters",
    async ({ args }) => {
      const { stdout, stderr } = await cli(args, { cwd })
      expectPlain(stdout + stderr, args.includes("-q") || args.includes("--markdown"))
      if (args.includes("--json") && args[0] !== "coverage") expect(stdout).toContain("\\u202e")
    },
  )

  test.each(serving)("the output of %j contains no hidden characters", async (args, ready) => {
    const { child, ended, says } = start(args, { cwd })
    await says(ready)
    child.kill("SIGINT")
    const { stdout, stderr } = await ended
    expectPlain(stdout + stderr)
  })
})

describe.skipIf(!isBuilt)("commands that print hostile text to a terminal", () => {
  test.each(
    onScreen.map((args) => ({ args, name: args.join(" ").replaceAll(hostile, "<hostile>") })),
  )("the output of `$name` in a terminal contains no hidden characters", async ({ args }) => {
    const { stdout, stderr } = await cli(args, { cwd, isScreen: true })
    expect(stdout + stderr).not.toContain("\u001b[32mgreen")
    expectPlain((stdout + stderr).replace(ownCodes, ""), args.includes("-q"))
  })
})

test.skipIf(!isBuilt)(
  "an approval first shows the call, whose name, arguments and id parse to their exact values",
  async () => {
    await cli(["run", ...waiting, "--run-id", "shown"], { cwd })
    const { stdout } = await cli(["runs", "pending", "shown"], { cwd })
    // Long arguments are printed as JSON, which ends at the brace with the indentation of the first brace.
    const parts =
      /^.*\n {2}proposes ("(?:[^"\\]|\\.)*") \(("(?:[^"\\]|\\.)*")\) with these arguments:\n( {4}\{\n(?: {5}.*\n)* {4}\})\n/.exec(
        stdout,
      )
    expect(parts?.slice(1).map((part) => JSON.parse(part) as unknown)).toEqual([
      `pay${hostile}`,
      `call${hostile}`,
      { [`key${hostile}`]: hostile, amount: 10_000 },
    ])
    // The command names the request, so that it cannot approve a later proposal.
    expect(stdout).toMatch(/^ {2}agent-statecharts runs approve shown --request \$'/m)
  },
)
