import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { projectFolder } from "../docs/markdown-blocks.js"
import { cli, folderWith, isBuilt, samples } from "./command.js"

const run = (name: string, scenario: string, ...more: readonly string[]): readonly string[] => [
  "run",
  `${name}.json`,
  "--scripted",
  `${scenario}.scenario.json`,
  "-q",
  ...more,
]

/** Completes a run of two agents in a new folder, and returns the folder. */
async function completed(...more: readonly string[]) {
  const cwd = folderWith(samples)
  expect((await cli(run("pair", "pair", "--run-id", "good", ...more), { cwd })).code).toBe(0)
  return { cwd, go: (...args: readonly string[]) => cli(args, { cwd }) }
}

describe.skipIf(!isBuilt)("agent-statecharts coverage", () => {
  test("coverage counts the states and transitions that the stored runs of a config have reached", async () => {
    const { go } = await completed()
    const { code, stdout } = await go("coverage", "pair.json")
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^pair: 1 run\n {2}states: 6 of 9 \(66 %\)\n {2}transitions: \d+ of \d+ \(\d+ %\)\n {2}limits, stops and pauses: 0 of 2 states, 0 of \d+ transitions\n$/,
    )
  })

  test("--missing lists the transitions that no stored run has taken, and failed runs count too", async () => {
    const { cwd, go } = await completed()
    const failing = "    #pair.pair.teller: ended -> failed\n"
    expect((await go("coverage", "pair.json", "--missing")).stdout).toContain(failing)
    expect((await cli(run("pair", "failing", "--run-id", "bad"), { cwd })).code).toBe(1)
    const { stdout } = await go("coverage", "pair.json", "--missing")
    expect(stdout).toContain("pair: 2 runs\n")
    expect(stdout).not.toContain(failing)
    expect(stdout).toContain("    #pair.pair.asker: ended -> failed\n")
  })

  test("--min sets the coverage required for exit code 0, and --json lists all missing states", async () => {
    const { go } = await completed()
    expect((await go("coverage", "pair.json", "--min", "100")).code).toBe(1)
    expect((await go("coverage", "pair.json", "--min", "10")).code).toBe(0)
    expect((await go("coverage", "pair.json", "--min", "101")).code).toBe(2)
    const { states, transitions, ...rest } = JSON.parse(
      (await go("coverage", "pair.json", "--json")).stdout,
    ) as { readonly states: object; readonly transitions: object }
    expect(rest).toMatchObject({
      chart: "pair",
      runs: 1,
      others: [],
      exceptional: { states: { reached: 0 } },
    })
    expect(states).toMatchObject({
      reached: 6,
      of: 9,
      missing: [{ machine: "pair", state: "exited" }, { state: "escalated" }, { state: "failed" }],
    })
    expect(transitions).toMatchObject({
      missing: expect.arrayContaining([
        {
          machine: "pair",
          from: "pair.asker",
          cause: "ended",
          guard: "exited",
          to: "exited",
          isExceptional: false,
        },
      ]) as unknown,
    })
  })

  test("runs of other charts are listed as ignored and are not counted", async () => {
    const { cwd, go } = await completed()
    expect((await cli(run("payment", "payment", "--run-id", "paying"), { cwd })).code).toBe(3)
    expect((await go("coverage", "pair.json")).stdout).toContain("pair: 1 run\n")
    expect((await go("coverage", "pair.json")).stdout).toContain(
      "ignored runs of other charts: paying\n",
    )
    expect((await go("coverage", "payment.json")).stdout).toContain("payer: 1 run\n")
  })

  test("coverage accepts a compiled chart and several journals, in folders and in SQLite", async () => {
    const { cwd, go } = await completed("--journal", "one")
    expect((await cli(run("pair", "failing", "--journal", "two.sqlite"), { cwd })).code).toBe(1)
    writeFileSync(join(cwd, "pair.chart.json"), (await go("compile", "pair.json")).stdout)
    expect((await go("coverage", "pair.chart.json", "one", "two.sqlite")).stdout).toContain(
      "pair: 2 runs\n",
    )
    expect((await go("coverage", "pair.json")).stdout).toContain("pair: 0 runs\n")
  })

  test("coverage prints the output that docs/coverage.md shows", async () => {
    const journal = join(folderWith({}), "content-runs")
    const example = join(projectFolder, "examples/content-loop")
    expect(
      (
        await cli([
          "run",
          join(example, "workflow.json"),
          "--scripted",
          join(example, "scenario.json"),
          "--journal",
          journal,
          "-q",
        ])
      ).code,
    ).toBe(0)
    const { code, stdout } = await cli([
      "coverage",
      join(example, "workflow.json"),
      journal,
      "--min",
      "40",
    ])
    expect(code).toBe(0)
    expect(readFileSync(join(projectFolder, "docs/coverage.md"), "utf8")).toContain(
      `\`\`\`text\n${stdout}\`\`\`\n`,
    )
  })

  test("a missing journal and an invalid config are reported", async () => {
    const { go } = await completed()
    expect(await go("coverage", "pair.json", "nowhere")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the journal nowhere does not exist") as string,
    })
    expect((await go("coverage", "broken.json")).code).toBe(2)
  })
})
