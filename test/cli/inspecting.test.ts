import type { StatelyInspectionEvent } from "@statelyai/inspect"
import { createWebSocketReceiver } from "@statelyai/inspect"
import type { HeardMessage } from "xstate-inspect-receiver"
import { hear } from "xstate-inspect-receiver"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { cli, folderWith, isBuilt, samples, start } from "./command.js"
import { eventually } from "../support/eventually.js"
import { talkingModel } from "../support/talking-model.js"
import { sequence } from "../support/workflow.js"

describe.skipIf(!isBuilt)("run --inspect", () => {
  test("--inspect-relay prints the viewer addresses, and both kinds of viewers follow the run to its end", async () => {
    const model = await talkingModel()
    onTestFinished(() => model.close())
    const agents = ["asker", "teller"].map((id) => ({ type: "LlmAgent", id, model: "m" }))
    const cwd = folderWith({
      "pair.json": {
        rootAgentId: "pair",
        initialUserInput: "Hello?",
        agents: [sequence("pair", ["asker", "teller"]), ...agents],
      },
    })
    const { says, ended } = start(
      ["run", "pair.json", "--openai", model.baseUrl, "--inspect-relay", "--no-journal"],
      { cwd },
    )
    const said = await says("/xstate-inspect")
    expect(said).toContain("https://stately.ai/inspect, so your browser needs internet access")
    const page = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]+\//.exec(said)?.[0] ?? ""
    const socket = page.replace("http", "ws")
    const stately: StatelyInspectionEvent[] = []
    const old: HeardMessage[] = []
    createWebSocketReceiver({ server: `${socket}stately` }).subscribe((event) =>
      stately.push(event),
    )
    hear(`${socket}xstate-inspect`, (message) => old.push(message))
    // The run continues when both viewers receive its events.
    await eventually(() => {
      expect(stately).not.toEqual([])
      expect(old).not.toEqual([])
    })
    for (const calls of [1, 2]) {
      await model.called(calls)
      model.say("Hello.")
      model.finish()
    }
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).not.toContain(page)
    await eventually(() => {
      expect(
        stately.filter((event) => event.type === "@xstate.snapshot").at(-1)?.snapshot,
      ).toMatchObject({ status: "done" })
      expect(old.at(-1)?.type).toBe("service.stop")
    })
    expect(
      stately.filter((event) => event.type === "@xstate.actor").map(({ name }) => name),
    ).toEqual(["pair", "pair/asker", "pair/teller"])
    // A machine that starts before the viewer requests all machines is registered twice.
    const registered = old.flatMap((message) =>
      message.type === "service.register" ? [message.sessionId] : [],
    )
    expect(new Set(registered).size).toBe(3)
  })

  test("--inspect prints the address of a studio that shows the machines of a run without a journal", async () => {
    const model = await talkingModel()
    onTestFinished(() => model.close())
    const agent = { type: "LlmAgent", id: "asker", model: "m" }
    const cwd = folderWith({
      "one.json": { rootAgentId: "asker", initialUserInput: "Hello?", agents: [agent] },
    })
    const { says, ended } = start(
      ["run", "one.json", "--openai", model.baseUrl, "--inspect", "--no-journal"],
      { cwd },
    )
    await model.called(1)
    const said = await says("panel=machines")
    const [, address = ""] = /Inspect the run at (\S+)/.exec(said) ?? []
    const { origin, searchParams, hash } = new URL(address)
    const runId = /^#\/run\/([^?]+)\?panel=machines$/.exec(hash)?.[1] ?? ""
    const response = await fetch(`${origin}/api/runs/${runId}/machines`, {
      headers: { authorization: `Bearer ${searchParams.get("token")}` },
    })
    expect(await response.json()).toMatchObject({
      actors: [
        { name: "asker", states: ["asker"] },
        { name: "asker (llmAgent)", states: ["callingModel"], inFlight: 1 },
      ],
    })
    model.say("Hello.")
    model.finish()
    expect((await ended).code).toBe(0)
    expect(existsSync(join(cwd, ".agent-statecharts"))).toBe(false)
  })

  test("with --json, stdout contains only events", async () => {
    const cwd = folderWith(samples)
    const { code, stdout, stderr } = await cli(
      [
        "run",
        "pair.json",
        "--scripted",
        "pair.scenario.json",
        "--inspect",
        "--json",
        "--no-journal",
      ],
      { cwd },
    )
    expect(code).toBe(0)
    for (const line of stdout.trimEnd().split("\n"))
      expect(() => JSON.parse(line) as unknown).not.toThrow()
    expect(stderr).toContain("Inspect the run at http://127.0.0.1:")
  })

  test("a port that is not between 1 and 65535 is rejected", async () => {
    const { code, stderr } = await cli(["run", "pair.json", "--inspect", "99999"], {
      cwd: folderWith(samples),
    })
    expect(code).toBe(2)
    expect(stderr).toContain("from 1 to 65535")
  })
})
