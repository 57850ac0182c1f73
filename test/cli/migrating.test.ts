import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import type { MigrationOutput } from "../../src/cli/migrate/migration-report.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { CompleteJournal } from "../../src/runtime/index.js"
import { createRunner } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { human, llm, sequence } from "../support/workflow.js"
import { cli, folderWith } from "./command.js"

const config = (agents: readonly string[]) => ({
  rootAgentId: "line",
  agents: [sequence("line", agents), ...agents.map((id) => (id === "boss" ? human : llm)(id))],
})

const services = () =>
  scriptedServices(
    Object.fromEntries(["first", "writer", "editor"].map((id) => [id, [{ content: id }]])),
  )

/** Creates a folder with three waiting runs of a workflow, and two edited workflows. */
async function folderWithRuns(
  open: (folder: string) => CompleteJournal & { close?(): void },
): Promise<string> {
  const cwd = folderWith({
    "longer.json": config(["writer", "boss", "editor"]),
    "earlier.json": config(["first", "writer", "boss"]),
  })
  const journal = open(cwd)
  const runner = createRunner({ ...services(), journal })
  for (const runId of ["a", "b", "c"])
    await runner
      .start(compileOrThrow(config(["writer", "boss"])), { runId, prompt: "go" })
      .whenSettled()
  await runner.close()
  journal.close?.()
  return cwd
}

const places = {
  runs: (cwd: string) => jsonlJournal(join(cwd, "runs")),
  "runs.sqlite": (cwd: string) => sqliteJournal(join(cwd, "runs.sqlite")),
}

describe.each(Object.entries(places))("migrate with the journal %s", (place, open) => {
  test("migrate classifies and migrates the open runs, and a second migration changes nothing", async () => {
    const cwd = await folderWithRuns(open)
    const migrate = (...args: string[]) =>
      cli(["migrate", "--journal", place, "--to", "longer.json", ...args], { cwd })
    const dry = await migrate("--dry-run")
    expect(dry).toMatchObject({ code: 0, stderr: "" })
    expect(dry.stdout).toContain("adoptable  same-records  3")
    expect(dry.stdout).toContain(
      "3 of 3 runs can continue with the edited workflow. Nothing was changed.",
    )
    const done = await migrate("--run", "b", "--json", "report.json")
    expect(done.stdout).toContain("1 runs migrated, 0 forked, 0 unchanged.")
    const report = JSON.parse(readFileSync(join(cwd, "report.json"), "utf8")) as MigrationOutput
    expect(report).toMatchObject({
      dryRun: false,
      runs: [{ runId: "b", verdict: "adoptable", result: "migrated" }],
      summary: { runs: 1, verdicts: { adoptable: 1 }, reasons: { "same-records": 1 } },
    })
    expect((await migrate()).stdout).toContain("2 runs migrated, 0 forked, 1 unchanged.")
    expect(await migrate()).toMatchObject({ code: 0 })
    expect((await cli(["runs", "verify", "--journal", place], { cwd })).code).toBe(0)
    const shown = await cli(["runs", "show", "a", "--journal", place], { cwd })
    expect(shown.stdout).toMatch(/migrated .*, after record 1, from the chart [0-9a-f]{12}/)
    const resumed = await createRunner({ ...services(), journal: open(cwd) }).resume("a")
    resumed.answer("line/boss#0", "yes")
    expect((await resumed.result).state).toMatchObject({
      boss_answer: "yes",
      editor_text: "editor",
    })
  })

  test("migrate does not change runs that would lose records, and --fork forks them", async () => {
    const cwd = await folderWithRuns(open)
    const migrate = (...args: string[]) =>
      cli(["migrate", "--journal", place, "--to", "earlier.json", ...args], { cwd })
    const kept = await migrate()
    expect(kept.code).toBe(1)
    expect(kept.stdout).toContain(
      'a  forkable: the charts differ after record 0; results that would be lost: agent "writer" calls its model (line/writer#0)',
    )
    expect((await migrate("--fork")).stdout).toContain("0 runs migrated, 3 forked, 0 unchanged.")
    const listed = await cli(["runs", "list", "--journal", place], { cwd })
    expect(listed.stdout.match(/cancelled/g)).toHaveLength(3)
    expect(listed.stdout.match(/interrupted/g)).toHaveLength(3)
    expect((await cli(["runs", "verify", "--journal", place], { cwd })).code).toBe(0)
  })
})

test("migrate rejects a missing journal, an unknown run, and a run of another workflow", async () => {
  const cwd = await folderWithRuns(places.runs)
  const migrate = (...args: string[]) => cli(["migrate", "--to", "longer.json", ...args], { cwd })
  expect(await migrate("--journal", "none")).toMatchObject({ code: 2 })
  expect(await migrate("--journal", "runs", "--run", "x")).toMatchObject({ code: 2 })
  const other = await migrate("--journal", "runs", "--run", "a", "--workflow", "other")
  expect(other).toMatchObject({ code: 2 })
  expect(other.stderr).toContain('run "a" executes the workflow "line", not "other"')
  const none = await migrate("--journal", "runs", "--workflow", "other")
  expect(none).toMatchObject({ code: 0 })
  expect(none.stdout).toContain("The journal has no open run of this workflow.")
})

test("check --against proves that open runs can continue, or names the differences", async () => {
  const cwd = folderWith({
    "old.json": config(["writer", "boss"]),
    "longer.json": config(["writer", "boss", "editor"]),
    "earlier.json": config(["first", "writer", "boss"]),
  })
  const check = (...args: string[]) => cli(["check", ...args], { cwd })
  const proved = await check("longer.json", "--against", "old.json")
  expect(proved).toMatchObject({ code: 0, stderr: "" })
  expect(proved.stdout).toContain("every open run of old.json can continue with this workflow")
  expect((await check("old.json", "--against", "old.json")).stdout).toContain("equal to old.json")
  const depends = await check("earlier.json", "--against", "old.json", "--json")
  expect(depends.code).toBe(1)
  expect(JSON.parse(depends.stdout)).toMatchObject([
    {
      against: {
        file: "old.json",
        verdict: "depends",
        relevant: [
          'agent "first" was added',
          expect.any(String),
          expect.any(String),
          expect.any(String),
        ],
      },
    },
  ])
  const both = await check("longer.json", "earlier.json", "--against", "old.json")
  expect(both).toMatchObject({ code: 2 })
})
