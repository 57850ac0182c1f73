import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt, samples } from "./command.js"

const scripted = (name: string): readonly string[] => ["--scripted", `${name}.scenario.json`]

/** Completes a run of two agents in a new folder, and returns a function that executes commands there. */
async function completed() {
  const cwd = folderWith(samples)
  expect(
    (await cli(["run", "pair.json", ...scripted("pair"), "--run-id", "r"], { cwd })).code,
  ).toBe(0)
  return (...args: readonly string[]) => cli(args, { cwd })
}

describe.skipIf(!isBuilt)("time travel on the command line", () => {
  test("runs show --at prints the state that a run had after a record", async () => {
    const go = await completed()
    const { stdout, code } = await go("runs", "show", "r", "--at", "1")
    expect(code).toBe(0)
    expect(stdout).toMatch(/^r after 1 of 2 records\n {2}status +running/)
    expect(stdout).toMatch(/in flight +model call of \S+teller/)
    expect(stdout).toMatch(/state question +"What\?"/)
    expect(JSON.parse((await go("runs", "show", "r", "--at", "0", "--json")).stdout)).toMatchObject(
      {
        at: 0,
        of: 2,
        result: { status: "running" },
        inFlight: [{ kind: "model", agent: "asker" }],
      },
    )
    expect(await go("runs", "show", "r", "--at", "-1")).toMatchObject({ code: 2 })
  })

  test("fork continues from a record and does not repeat calls that have a result", async () => {
    const go = await completed()
    const { stdout, code } = await go(
      "fork",
      "r",
      "--at",
      "1",
      "--run-id",
      "f",
      "--state",
      '{"question":"Why?"}',
      ...scripted("pair"),
    )
    expect(code).toBe(0)
    expect(stdout).not.toContain("asker started")
    expect(stdout).toMatch(/question {2}"Why\?"\n {2}reply {5}"That\."/)
    expect((await go("runs", "list")).stdout).toMatch(/^f {2}completed[^]*\nr {2}completed/)
    expect(await go("fork", "r", "--at", "1", "--prompt", "late")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("input_refused") as string,
    })
    expect(await go("fork", "r")).toMatchObject({ code: 2 })
  })

  test("replay exits with code 0 if a config makes no difference, and with code 1 if it does", async () => {
    const go = await completed()
    expect(await go("replay", "r", "--config", "pair.json")).toMatchObject({
      code: 0,
      stdout: "no difference: completed, and every recorded result is used\n",
    })
    const cwd = folderWith(samples)
    expect(
      (await cli(["run", "pair.json", ...scripted("pair"), "--run-id", "r"], { cwd })).code,
    ).toBe(0)
    const edited = JSON.parse(readFileSync(join(cwd, "pair.json"), "utf8")) as {
      readonly agents: { id: string; instructions?: string }[]
    }
    for (const agent of edited.agents)
      if (agent.id === "teller") agent.instructions = "Tell briefly."
    writeFileSync(join(cwd, "edited.json"), JSON.stringify(edited))
    const replayed = await cli(["replay", "r", "--config", "edited.json"], { cwd })
    expect(replayed.code).toBe(1)
    expect(replayed.stdout).toContain('the request has changed: agent "teller" calls its model')
    expect(
      JSON.parse((await cli(["replay", "r", "--config", "edited.json", "--json"], { cwd })).stdout),
    ).toMatchObject({ isSame: false, changed: [{ fields: ["messages"] }] })
    const adopted = await cli(
      ["replay", "r", "--config", "edited.json", "--adopt", "--run-id", "a"],
      { cwd },
    )
    expect(adopted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("agent-statecharts resume a") as string,
    })
    expect((await cli(["resume", "a", ...scripted("pair")], { cwd })).code).toBe(0)
  })

  test("run --record writes a cassette, and run --cassette replays it without services", async () => {
    const cwd = folderWith(samples)
    expect(
      (await cli(["run", "pair.json", ...scripted("pair"), "--record", "tape.json"], { cwd })).code,
    ).toBe(0)
    expect(existsSync(join(cwd, "tape.json"))).toBe(true)
    const played = await cli(["run", "pair.json", "--cassette", "tape.json"], { cwd })
    expect(played.code).toBe(0)
    expect(played.stdout).toMatch(/question {2}"What\?"\n {2}reply {5}"That\."/)
    const missed = await cli(
      ["run", "pair.json", "--cassette", "tape.json", "--prompt", "Something else"],
      { cwd },
    )
    expect(missed.code).toBe(1)
    expect(missed.stdout + missed.stderr).toContain("cassette_missed")
    expect(missed.stderr).toContain("recorded but not called")
    expect((await cli(["run", "pair.json", "--cassette", "pair.json"], { cwd })).code).toBe(2)
    expect(
      (await cli(["run", "pair.json", "--cassette", "a", "--record", "b"], { cwd })).code,
    ).toBe(2)
  })
})
