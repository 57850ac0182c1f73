import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt, samples, start } from "./command.js"

const scripted = (name: string): readonly string[] => ["--scripted", `${name}.scenario.json`]

describe.skipIf(!isBuilt).each([
  ["a folder of JSON Lines files", []],
  ["an SQLite file", ["--journal", "runs.sqlite"]],
] as const)("runs stored in %s", (_, journal) => {
  test("the process of a waiting run ends, and another process answers the run by a prefix of its id", async () => {
    const cwd = folderWith(samples)
    const asked = await cli(
      ["run", "payment.json", ...scripted("payment"), "--run-id", "order-7", ...journal],
      { cwd },
    )
    expect(asked.code).toBe(3)
    expect(asked.stdout).toContain("Run order-7, stored in")
    expect(asked.stderr).toContain(
      [
        "agent-statecharts runs approve order-7 --request",
        "'payer#0'",
        ...journal,
        ...scripted("payment"),
      ].join(" "),
    )
    expect((await cli(["runs", "list", ...journal], { cwd })).stdout).toMatch(
      /^order-7 {2}waiting .* payer {2}payer asks for approval\n$/,
    )
    expect((await cli(["runs", "pending", ...journal], { cwd })).stdout).toContain(
      'proposes pay {"amount":5} (pay-1)',
    )
    const shown = JSON.parse(
      (await cli(["runs", "show", "order", "--json", ...journal], { cwd })).stdout,
    ) as object
    expect(shown).toMatchObject({
      runId: "order-7",
      status: "waiting",
      owner: null,
      records: 1,
      pending: [{ kind: "approval" }],
    })

    const paid = await cli(
      ["runs", "approve", "order", "--args", '{"amount":4}', ...scripted("payment"), ...journal],
      { cwd },
    )
    expect(paid.code).toBe(0)
    expect(paid.stdout).toContain('payer calls pay {"amount":4}')
    expect(paid.stdout).not.toContain("payer started")
    expect(paid.stdout).toMatch(/✔ completed[^]*report {2}"Done\."/)
    expect(await cli(["runs", "verify", "order", ...journal], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^order-7 {2}intact, \d+ records\n1 run checked, 0 damaged\n$/),
    })
    expect((await cli(["runs", "list", "--status", "waiting", ...journal], { cwd })).stdout).toBe(
      "",
    )
    expect(
      await cli(["runs", "approve", "order", ...scripted("payment"), ...journal], { cwd }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run order-7 has no pending request (completed)"),
    })
  })

  test("runs answer, reject, end and cancel apply to stored runs, and a mismatched answer is rejected", async () => {
    const cwd = folderWith(samples)
    const go = (...args: readonly string[]) => cli([...args, ...journal], { cwd })
    await go("run", "human.json", ...scripted("human"), "--run-id", "h")
    expect(await go("runs", "approve", "h", ...scripted("human"))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not match a pending request"),
    })
    expect(
      (await go("runs", "answer", "h", '{"city":"Oslo"}', ...scripted("human"))).stdout,
    ).toContain('city  {"city":"Oslo"}')
    await go("run", "payment.json", ...scripted("payment"), "--run-id", "p")
    expect(
      (await go("runs", "reject", "p", "--reason", "too much", ...scripted("payment"))).stdout,
    ).not.toContain("calls pay")
    await go("run", "payment.json", ...scripted("payment"), "--run-id", "e")
    expect((await go("runs", "end", "e", ...scripted("payment"))).code).toBe(0)
    await go("run", "payment.json", ...scripted("payment"), "--run-id", "c")
    expect((await go("runs", "cancel", "c")).code).toBe(130)
    expect((await go("runs", "show", "c")).stdout).toContain("status   cancelled")
  })

  test("resume continues a run after Ctrl-C, and repeats only the call that was in flight", async () => {
    const cwd = folderWith(samples)
    const { child, ended, says } = start(
      ["run", "pair.json", ...scripted("slow"), "--run-id", "r", ...journal],
      { cwd },
    )
    await says("teller started")
    child.kill("SIGINT")
    const left = await ended
    expect(left.code).toBe(130)
    expect(left.stderr).toContain("Press Ctrl-C again")
    expect(left.stderr).toContain("Resume it with: agent-statecharts resume r")
    expect((await cli(["runs", "list", ...journal], { cwd })).stdout).toMatch(/^r {2}interrupted/)
    expect((await cli(["runs", "pending", "r", ...journal], { cwd })).stderr).toContain(
      "Run r has no pending request.\nNo process executes this run. Resume it with: agent-statecharts resume r --scripted",
    )
    const resumed = await cli(["resume", "r", ...scripted("pair"), ...journal], { cwd })
    expect(resumed.code).toBe(0)
    expect(resumed.stdout).not.toContain("asker")
    expect(resumed.stdout).toMatch(/question {2}"What\?"\n {2}reply {5}"That\."/)
  })

  test("resume exits with code 2 and names the owner if another process executes the run", async () => {
    const cwd = folderWith(samples)
    const { child, ended, says } = start(
      ["run", "pair.json", ...scripted("slow"), "--run-id", "r", ...journal],
      { cwd },
    )
    await says("teller started")
    expect(await cli(["resume", "r", ...scripted("pair"), ...journal], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`run_owned: run "r" is owned by process ${child.pid} on`),
    })
    child.kill("SIGKILL")
    await ended
    expect((await cli(["resume", "r", ...scripted("pair"), ...journal], { cwd })).code).toBe(0)
  })
})

describe.skipIf(!isBuilt)("the storage of runs", () => {
  test("a run with --no-journal is not stored", async () => {
    const cwd = folderWith(samples)
    expect(
      (await cli(["run", "pair.json", ...scripted("pair"), "--no-journal"], { cwd })).code,
    ).toBe(0)
    expect(existsSync(join(cwd, ".agent-statecharts"))).toBe(false)
    expect(await cli(["runs", "list"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: ".agent-statecharts/runs contains no runs.\n",
    })
  })

  test("runs approve exits with code 2 without the services with which the run was started", async () => {
    const cwd = folderWith(samples)
    await cli(["run", "payment.json", ...scripted("payment"), "--run-id", "p"], { cwd })
    expect(await cli(["runs", "approve", "p"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the run was started with --scripted payment.scenario.json"),
    })
    expect((await cli(["runs", "approve", "p", ...scripted("payment")], { cwd })).code).toBe(0)
  })

  test("a duplicate, an unknown and an ambiguous run id exit with code 2", async () => {
    const cwd = folderWith(samples)
    await cli(["run", "human.json", "--run-id", "r-1"], { cwd })
    await cli(["run", "human.json", "--run-id", "r-2"], { cwd })
    expect(await cli(["run", "human.json", "--run-id", "r-1"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run_exists"),
    })
    for (const command of [["resume"], ["runs", "verify"]])
      expect(await cli([...command, "x"], { cwd })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("run_unknown"),
      })
    expect(await cli(["resume", "r"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("2 run ids begin with"),
    })
  })

  test("an incomplete last line of a journal is removed with a warning, and a corrupt line is an error", async () => {
    const cwd = folderWith(samples)
    await cli(["run", "human.json", "--run-id", "r"], { cwd })
    const file = join(cwd, ".agent-statecharts/runs/r.jsonl")
    writeFileSync(file, `${readFileSync(file, "utf8")}[0,tr`)
    const answered = await cli(["runs", "answer", "r", "Oslo", ...scripted("human")], { cwd })
    expect(answered).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /warning: the last 5 bytes of .*r\.jsonl were not a complete record/,
      ),
    })
    const lines = readFileSync(file, "utf8").split("\n")
    writeFileSync(file, [lines[0], "oops", ...lines.slice(1)].join("\n"))
    expect(await cli(["resume", "r", ...scripted("human")], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/journal_corrupt: line 2 of .*r\.jsonl/),
    })
  })
})
