import { appendFileSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import type { ModelService, ToolService } from "../../src/machines/contract/services.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { ReplayReport } from "../../src/cli/replay/replay-report.js"
import { createRunner } from "../../src/runtime/index.js"
import { caseCount } from "../support/random-cases.js"
import { cli, folderWith } from "./command.js"

const runCount = caseCount(60, 500)

/** A pipeline of ten agents. Each of them reads only the text of the agent before it. */
const pipeline = (ninth: string): object => ({
  agent_class: "SequentialAgent",
  name: "pipeline",
  sub_agents: Array.from({ length: 10 }, (_, index) => ({
    name: `agent${index + 1}`,
    model: "small",
    instruction: `${index + 1 === 9 ? ninth : "Continue"}${index === 0 ? " the order." : `: {text${index}}`}`,
    output_key: `text${index + 1}`,
    ...(index === 2 ? { tools: ["stock"] } : {}),
  })),
  globalTools: [
    {
      type: "HttpTool",
      id: "stock",
      description: "Reads the stock.",
      parameters: { type: "object", properties: { id: { type: "string" } } },
      httpConfig: { url: "http://tools.test/stock", method: "POST" },
    },
  ],
})

/** Services whose responses depend only on the request, so that an edited agent gets another response. */
const servicesModule = `
export const lines = []
const note = (line) => lines.push(line)
const hash = (text) => [...text].reduce((sum, one) => (sum * 31 + one.codePointAt(0)) % 99991, 7)
const answerOf = (request) => {
  const text = JSON.stringify(request.messages)
  const usage = { inputTokens: text.length, outputTokens: 5 }
  if (request.agent === "agent3" && !text.includes("function_response"))
    return { content: null, usage, toolCalls: [{ id: "s1", function_name: "stock", function_args: { id: "7" } }] }
  return { content: request.agent + " " + hash(text), usage }
}
export const models = {
  small: {
    call: async (request) => {
      const answer = answerOf(request)
      note({ model: request.agent, run: request.runId, key: request.idempotencyKey, usage: answer.usage })
      return answer
    },
  },
}
export const tools = {
  stock: {
    call: async (request) => {
      note({ tool: request.tool, run: request.runId })
      return { left: 3 }
    },
  },
}
`

interface Line {
  readonly model?: string
  readonly tool?: string
  readonly run: string
  readonly key: string
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

interface Services {
  readonly models: Readonly<Record<string, ModelService>>
  readonly tools: Readonly<Record<string, ToolService>>
  /** The calls that the services have received. */
  readonly lines: readonly Line[]
}

const load = (file: string): Promise<Services> =>
  import(pathToFileURL(file).href) as Promise<Services>

/** A journal with runs of the pipeline, and a log of the calls that were made for them. */
async function recordedRuns(count: number) {
  const cwd = folderWith({
    "pipeline.json": pipeline("Continue"),
    "edited.json": pipeline("Go on"),
    "before.mjs": servicesModule,
    "after.mjs": servicesModule,
    "prices.json": { small: { input: 1, output: 10 } },
  })
  const [before, after] = await Promise.all(
    ["before", "after"].map((name) => load(join(cwd, `${name}.mjs`))),
  )
  const { models = {}, tools = {}, lines: madeBefore = [] } = before ?? {}
  const journal = jsonlJournal(join(cwd, "runs"))
  const runner = createRunner({ models, tools, journal })
  const chart = compileOrThrow(pipeline("Continue"))
  for (let index = 0; index < count; index++) {
    const run = runner.start(chart, { runId: `order-${index}`, prompt: `Order ${index}` })
    await run.whenSettled()
    run.end()
    await run.whenSettled()
  }
  await runner.close()
  return {
    cwd,
    madeBefore,
    madeAfter: after?.lines ?? [],
    go: (...args: readonly string[]) => cli(["replay", ...args], { cwd }),
  }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
const tokensOf = (lines: readonly Line[]): number =>
  sum(lines.flatMap(({ usage }) => (usage ? [usage.inputTokens + usage.outputTokens] : [])))
const costOf = (lines: readonly Line[]): number =>
  sum(
    lines.flatMap(({ usage }) =>
      usage ? [(usage.inputTokens + 10 * usage.outputTokens) / 1_000_000] : [],
    ),
  )

describe("the replay of a journal with another workflow (replay --with)", () => {
  test(`after an edit of agent 9 of 10, a replay of ${runCount} runs calls only agents 9 and 10`, async () => {
    const { cwd, madeBefore, madeAfter, go } = await recordedRuns(runCount)
    const files = ["--journal", "runs", "--with", "edited.json", "--services", "after.mjs"]
    const { code, stderr } = await go(...files, "--prices", "prices.json", "--json", "report.json")
    expect(stderr).toBe("")
    expect(code).toBe(1)
    const report = JSON.parse(readFileSync(join(cwd, "report.json"), "utf8")) as ReplayReport
    const made = madeAfter
    // The expected numbers are computed from the calls that the services have received.
    expect(made.map(({ model }) => model).sort()).toEqual(
      Array.from({ length: 2 * runCount }, (_, index) => (index < runCount ? "agent10" : "agent9")),
    )
    expect(new Set(made.map(({ key }) => key)).size).toBe(2 * runCount)
    const keysBefore = new Set(madeBefore.map(({ key }) => key))
    expect(made.filter(({ key }) => keysBefore.has(key))).toEqual([])
    expect(Object.keys(report.runs)).toHaveLength(runCount)
    const [before, after] = [byRun(madeBefore), byRun(made)]
    for (const [runId, run] of Object.entries(report.runs)) {
      const [old, now] = [before.get(runId) ?? [], after.get(runId) ?? []]
      const replaced = old.filter(({ model }) => model === "agent9" || model === "agent10")
      expect(run).toMatchObject({
        outcome: "changed",
        status: { before: "completed", after: "completed" },
        firstDivergence: { kind: "model", key: "pipeline/agent9#0", differs: ["messages"] },
        calls: {
          made: { models: now.length, tools: 0 },
          reused: {
            models: old.filter(({ model }) => model !== undefined).length - replaced.length,
            tools: old.filter(({ tool }) => tool !== undefined).length,
          },
        },
        calledTools: [],
        changed: {
          status: false,
          text: true,
          state: ["text10", "text9"],
          agents: { added: [], removed: [] },
          states: { added: [], removed: [] },
        },
        tokens: {
          before: tokensOf(old),
          after: tokensOf(old) - tokensOf(replaced) + tokensOf(now),
        },
      })
      expect(run.cost.before).toBeCloseTo(costOf(old), 12)
      expect(run.cost.after).toBeCloseTo(costOf(old) - costOf(replaced) + costOf(now), 12)
    }
    const all = madeBefore.filter(({ model }) => model === "agent9" || model === "agent10")
    expect(report.summary).toMatchObject({
      runs: runCount,
      changed: runCount,
      unchanged: 0,
      unknown: 0,
      texts: runCount,
      statuses: {},
      calls: {
        made: { models: made.length, tools: 0 },
        reused: {
          models: madeBefore.filter(({ model }) => model !== undefined).length - all.length,
          tools: madeBefore.filter(({ tool }) => tool !== undefined).length,
        },
      },
      calledTools: {},
      tokens: {
        before: tokensOf(madeBefore),
        after: tokensOf(madeBefore) - tokensOf(all) + tokensOf(made),
      },
    })
  })

  test("a replay with the same workflow makes no calls, and a replay does not change the journal", async () => {
    const { cwd, madeAfter, go } = await recordedRuns(3)
    const filesBefore = contentsOf(join(cwd, "runs"))
    const all = await go("--journal", "runs", "--with", "pipeline.json", "--services", "after.mjs")
    expect(all).toMatchObject({ code: 0, stderr: "" })
    expect(all.stdout).toMatch(
      /^3 runs: 0 changed \(0 with another text\), 3 unchanged, 0 unknown\./,
    )
    expect(all.stdout).toContain(
      "Calls made: 0 model calls, 0 tool calls. Calls reused: 33 model calls, 3 tool calls.",
    )
    await go("--journal", "runs", "--with", "edited.json", "--services", "after.mjs")
    expect(madeAfter).toHaveLength(6)
    expect(contentsOf(join(cwd, "runs"))).toEqual(filesBefore)
  })

  test("--offline makes no calls and lists the calls that are missing", async () => {
    const { madeAfter, go } = await recordedRuns(2)
    const { code, stdout } = await go(
      "--journal",
      "runs",
      "--with",
      "edited.json",
      "--services",
      "after.mjs",
      "--offline",
    )
    expect(code).toBe(1)
    expect(madeAfter).toEqual([])
    expect(stdout).toMatch(/order-0 +completed → \? +unknown: needs 1 call +pipeline\/agent9#0/)
    expect(stdout).toContain("2 runs: 0 changed (0 with another text), 0 unchanged, 2 unknown.")
  })

  test("--last and --run select runs, and --resume skips runs that have a result", async () => {
    const { cwd, madeAfter, go } = await recordedRuns(4)
    const files = ["--journal", "runs", "--with", "edited.json", "--services", "after.mjs"]
    const resume = [...files, "--resume", "results/replay.jsonl"]
    expect((await go(...resume, "--last", "1", "--concurrency", "1")).stdout).toContain("1 run: ")
    expect(new Set(madeAfter.map(({ run }) => run))).toEqual(new Set(["order-3"]))
    // A killed process leaves an incomplete line.
    const file = join(cwd, "results/replay.jsonl")
    appendFileSync(file, '{"name":"order-2 ')
    const { stdout } = await go(...resume, "--run", "order-1", "order-3", "--json")
    expect(Object.keys((JSON.parse(stdout) as ReplayReport).runs)).toEqual(["order-1", "order-3"])
    expect(madeAfter.map(({ run }) => run)).toEqual(["order-3", "order-3", "order-1", "order-1"])
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(3)
    const other = await go(...resume, "--offline")
    expect(other).toMatchObject({ code: 2 })
    expect(other.stderr).toContain("replay.jsonl has the results of another command")
  })

  test("--markdown writes a table in which texts of models are escaped", async () => {
    const { cwd, go } = await recordedRuns(1)
    const files = ["--journal", "runs", "--with", "edited.json", "--services", "after.mjs"]
    const { stdout } = await go(...files, "--markdown", "-")
    expect(stdout).toMatch(/^\*\*Replay with pipeline:\*\* 1 run: 1 changed/)
    expect(stdout).toMatch(
      /\n\| order\\-0 \| completed \| text, state text10 text9 \| pipeline\/agent9\\#0 \\\(messages\\\) \| agent10 \d+ \| agent10 \d+ \| 2 model calls, 0 tool calls \| [\d,]+ → [\d,]+ \|\n$/,
    )
    expect(readdirSync(cwd).sort()).toEqual(
      ["after.mjs", "before.mjs", "edited.json", "pipeline.json", "prices.json", "runs"].sort(),
    )
  })

  test.each([
    [["--with", "edited.json", "--journal", "nowhere"], "the journal nowhere does not exist"],
    [
      ["--with", "edited.json", "--journal", "runs", "--run", "order-9"],
      'the run "order-9" does not exist',
    ],
    [
      ["--with", "edited.json", "--journal", "runs", "--status", "failed"],
      'no run of the workflow "pipeline" with the status failed',
    ],
    [["order-0", "--with", "edited.json"], "a run is only accepted with --config"],
    [["order-0"], "replay needs a run and --config FILE"],
    [
      ["order-0", "--config", "edited.json", "--offline"],
      "--offline is only accepted in the form: replay --with FILE",
    ],
    [
      ["--with", "edited.json", "--adopt"],
      "--adopt is only accepted in the form: replay RUN --config FILE",
    ],
    [["--with", "edited.json", "--json", "--markdown", "-"], "only one report can go to stdout"],
  ])("replay rejects the arguments %j", async (args, message) => {
    const { go } = await recordedRuns(1)
    const { code, stderr } = await go(...args)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})

const contentsOf = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")] as const)

function byRun(lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> {
  const runs = new Map<string, Line[]>()
  for (const line of lines) runs.set(line.run, [...(runs.get(line.run) ?? []), line])
  return runs
}
