import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HttpAgent } from "@ag-ui/client"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { isBuilt } from "../cli/command.js"
import type { TalkingModel } from "../support/talking-model.js"
import { talkingModel } from "../support/talking-model.js"
import type { TestServer } from "./test-server.js"
import { startTestServer } from "./test-server.js"

describe.skipIf(!isBuilt)("the streamed text of a model", () => {
  let place: string
  let model: TalkingModel
  let server: TestServer

  beforeEach(async () => {
    place = mkdtempSync(join(tmpdir(), "deltas-"))
    model = await talkingModel()
    const retryPolicy = { maximumAttempts: 2, initialInterval: "1ms" }
    writeFileSync(
      join(place, "greeter.json"),
      JSON.stringify({
        rootAgentId: "all",
        agents: [
          { id: "all", type: "SequentialAgent", subAgents: [{ agentId: "greeter" }] },
          {
            id: "greeter",
            type: "LlmAgent",
            model: "m",
            instructions: "Greet.",
            activityConfig: { retryPolicy },
          },
        ],
      }),
    )
    server = await startTestServer(join(place, "greeter.json"), join(place, "runs"), [
      "--token",
      "test-token",
      "--openai",
      model.baseUrl,
    ])
  })

  afterEach(async () => {
    model.close()
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })

  const started = async (): Promise<string> =>
    String(
      (
        await server.ask("/v1/runs", {
          method: "POST",
          body: { workflow: "greeter", prompt: "Hi." },
        })
      ).body["runId"],
    )
  const isDelta = (text: string) => (event: RunEvent) =>
    event.type === "model.delta" && event.text === text
  const saidIn = (events: readonly RunEvent[]): readonly string[] =>
    events.flatMap((event) => (event.type === "model.delta" ? [event.text] : []))

  test("deltas are events without an id, and a late reader first receives the text so far", async () => {
    const runId = await started()
    let isHeard = (): void => {}
    const heard = new Promise<void>((resolve) => (isHeard = resolve))
    const first = server.events(runId, (event) => {
      if (isDelta("Good ")(event)) isHeard()
      return event.type === "run.finished"
    })
    await model.called(1)
    model.say("Good ")
    await server.events(runId, isDelta("Good "))
    // The first reader may connect after the second reader.
    await heard
    model.say("morning.")
    await server.events(runId, isDelta("Good morning."))
    model.finish()
    const events = await first
    expect(saidIn(events)).toEqual(["Good ", "morning."])
    const types = events.map(({ type }) => type)
    expect(types.lastIndexOf("model.delta")).toBeLessThan(types.indexOf("model.responded"))
    // A reader of an ended run receives no deltas.
    expect(saidIn(await server.events(runId, ({ type }) => type === "run.finished"))).toEqual([])
  })

  test("the text of an interrupted attempt is discarded, and the next attempt starts from an empty text", async () => {
    const runId = await started()
    const all = server.events(runId, ({ type }) => type === "run.finished")
    await model.called(1)
    model.say("Good eve")
    await server.events(runId, isDelta("Good eve"))
    model.cut()
    await model.called(2)
    model.say("Good morning.")
    expect(saidIn(await server.events(runId, isDelta("Good morning.")))).toEqual(["Good morning."])
    model.finish()
    expect(
      (await all).flatMap((event) =>
        event.type === "model.delta" ? [[event.attempt, event.text]] : [],
      ),
    ).toEqual([
      [1, "Good eve"],
      [2, "Good morning."],
    ])
  })

  test("AG-UI sends the streamed text as the content of one message", async () => {
    const agent = new HttpAgent({
      url: `${server.origin}/ag-ui/greeter`,
      headers: { authorization: "Bearer test-token" },
      initialMessages: [{ id: "m1", role: "user", content: "Hi." }],
    })
    const grown: string[] = []
    let heard = (): void => {}
    const firstHeard = new Promise<void>((resolve) => (heard = resolve))
    const over = agent.runAgent(undefined, {
      onTextMessageContentEvent({ event }) {
        grown.push(event.delta)
        heard()
      },
    })
    await model.called(1)
    model.say("Good ")
    await firstHeard
    model.say("morning.")
    model.finish()
    await over
    expect(grown.join("")).toBe("Good morning.")
    expect(grown[0]).toBe("Good ")
    expect(agent.messages.filter(({ role }) => role === "assistant")).toMatchObject([
      { content: "Good morning." },
    ])
  })
})
