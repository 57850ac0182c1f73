import { createServer } from "node:http"
import { expect, test } from "vitest"
import { playCassette, recordCassette } from "../../../src/adapters/cassette/index.js"
import type { Cassette } from "../../../src/adapters/cassette/index.js"
import { createHttpServices, secretsFromObject } from "../../../src/adapters/http/index.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { StartOptions } from "../../../src/runtime/index.js"
import { createRunner } from "../../../src/runtime/index.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { simulatedClock } from "../../support/simulated-clock.js"
import { chartOf, httpTool, llm, sequence } from "../../support/workflow.js"

const call = {
  content: null,
  toolCalls: [{ id: "c1", function_name: "search", function_args: { q: "cats" } }],
}

const pipeline = (writer = {}): AgentChart =>
  chartOf(
    [
      sequence("pipeline", ["writer", "editor"]),
      llm("writer", { tools: ["search"], instructions: "Write.", ...writer }),
      llm("editor"),
    ],
    {
      globalTools: [httpTool("search", { outputKey: "found" })],
    },
  )

async function recorded(
  options: StartOptions = {},
  mask: readonly string[] = [],
): Promise<Cassette> {
  const { http } = scriptedServices(
    { writer: [call, { content: "A draft." }], editor: [{ content: "Edited." }] },
    { search: [{ found: 3 }] },
  )
  const recorder = recordCassette({ http }, { mask })
  const { status } = await createRunner(recorder.services).start(pipeline(), options).result
  expect(status).toBe("completed")
  return JSON.parse(JSON.stringify(recorder.cassette())) as Cassette
}

test("a cassette replays a run under another run id, and all of its entries are used", async () => {
  const player = playCassette(await recorded({ runId: "first" }))
  const { status, state } = await createRunner(player.services).start(pipeline(), {
    runId: "second",
  }).result
  expect({ status, state }).toMatchObject({
    status: "completed",
    state: { writer_text: "A draft.", editor_text: "Edited.", found: { found: 3 } },
  })
  expect(player.unused()).toEqual([])
  player.verify()
})

test("a WaitAgent does not wait while a cassette is replayed", async () => {
  const chart = chartOf([
    sequence("pipeline", ["writer", "pause", "editor"]),
    llm("writer"),
    { type: "WaitAgent", id: "pause", duration: "100d" },
    llm("editor"),
  ])
  const clock = simulatedClock()
  const { http } = scriptedServices({ writer: [{ content: "A" }], editor: [{ content: "B" }] })
  const recorder = recordCassette({ http })
  const recording = createRunner({ ...recorder.services, clock }).start(chart)
  await clock.runUntilIdle()
  expect(recording.snapshot().status).toBe("completed")
  const player = playCassette(recorder.cassette())
  const { status } = await createRunner(player.services).start(chart).result
  expect(status).toBe("completed")
  player.verify()
})

test("a cassette entry is identified by the path, the number of the call and the attempt", async () => {
  const { entries } = await recorded()
  expect(entries.map(({ kind, key, attempt, of }) => [kind, key, attempt, of])).toEqual([
    ["model", "pipeline/writer#0", 1, null],
    ["tool", "pipeline/writer/tool:c1#0", 1, "search"],
    ["model", "pipeline/writer#1", 1, null],
    ["model", "pipeline/editor#0", 1, null],
  ])
})

test("a changed request fails with the differences, and verify reports the calls that were not made", async () => {
  const player = playCassette(await recorded())
  const { status, error } = await createRunner(player.services).start(
    pipeline({ instructions: "Write briefly." }),
  ).result
  expect({ status, code: error?.code }).toEqual({ status: "failed", code: "cassette_missed" })
  expect(error?.message).toContain(
    'messages[0]: system "Write." before, system "Write briefly." now',
  )
  expect(player.misses).toMatchObject([
    { request: { key: "pipeline/writer#0" }, nearest: { key: "pipeline/writer#0" } },
  ])
  expect(() => player.verify()).toThrow(
    expect.objectContaining({
      code: "cassette_missed",
      message: expect.stringContaining('recorded but not called: agent "editor"') as string,
    }),
  )
})

test("a call that was not recorded is compared with the most similar recorded call of its agent", async () => {
  const cassette = await recorded()
  const player = playCassette({
    ...cassette,
    entries: cassette.entries.filter(({ key }) => key !== "pipeline/writer#1"),
  })
  await createRunner(player.services).start(pipeline()).result
  expect(player.misses).toMatchObject([
    { request: { key: "pipeline/writer#1" }, nearest: { key: "pipeline/writer#0" } },
  ])
  const empty = playCassette({ format: 1, entries: [] })
  const { error } = await createRunner(empty.services).start(pipeline()).result
  expect(error?.message).toContain("it has no recorded calls of this agent")
})

test("a cassette also replays failed calls and their retries", async () => {
  const chart = chartOf([
    sequence("all", ["a"]),
    llm("a", { activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "1s" } } }),
  ])
  const clock = simulatedClock()
  const recorder = recordCassette({
    http: scriptedServices({ a: [{ status: 503 }, { content: "A" }] }).http,
  })
  createRunner({ ...recorder.services, clock }).start(chart)
  await clock.runUntilIdle()
  const player = playCassette(recorder.cassette())
  const run = createRunner({ ...player.services, clock }).start(chart)
  await clock.runUntilIdle()
  expect(await run.result).toMatchObject({ status: "completed", text: "A" })
  player.verify()
})

test("a call that times out is recorded as a timeout, and a stopped call is not recorded", async () => {
  const chart = chartOf([
    sequence("all", ["a"]),
    llm("a", { activityConfig: { startToCloseTimeout: "1s" } }),
  ])
  const clock = simulatedClock()
  const never = { call: () => new Promise<unknown>(() => {}) }
  const recorder = recordCassette({ http: { model: never, tool: never } })
  const run = createRunner({ ...recorder.services, clock }).start(chart)
  await clock.runUntilIdle()
  expect(await run.result).toMatchObject({ status: "failed", error: { code: "service_timeout" } })
  const stopped = createRunner({ ...recorder.services, clock }).start(chart)
  stopped.cancel()
  expect(recorder.cassette().entries).toMatchObject([
    { ok: false, failure: { code: "service_timeout" } },
  ])
})

test("registered models are recorded under their names", async () => {
  const chart = chartOf([
    sequence("all", ["a"]),
    { type: "LlmAgent", id: "a", model: "small", outputKey: "a_text" },
  ])
  const recorder = recordCassette({ models: { small: { call: async () => ({ content: "A" }) } } })
  await createRunner(recorder.services).start(chart).result
  const player = playCassette(recorder.cassette())
  expect(Object.keys(player.services.models)).toEqual(["small"])
  expect(await createRunner(player.services).start(chart).result).toMatchObject({
    status: "completed",
    text: "A",
  })
})

test("a cassette contains no secrets, even if a response repeats the value of a header", async () => {
  const secret = "sk-very-secret"
  const echo = createServer((request, response) => {
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ content: `you sent ${request.headers["x-key"]}` }))
  })
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve))
  const { port } = echo.address() as { readonly port: number }
  const chart = chartOf([
    sequence("all", ["a"]),
    {
      type: "LlmAgent",
      id: "a",
      outputKey: "a_text",
      httpConfig: {
        url: `http://127.0.0.1:${port}/`,
        method: "POST",
        headers: { "x-key": "{{ $secret('KEY') }}" },
      },
    },
  ])
  const http = createHttpServices({ secrets: secretsFromObject({ KEY: secret }) })
  const recorder = recordCassette({ http })
  const { status } = await createRunner(recorder.services).start(chart).result
  expect(status).toBe("completed")
  expect(recorder.cassette().entries).toHaveLength(1)
  expect(JSON.stringify(recorder.cassette())).not.toContain(secret)
  await http.close()
  await new Promise((resolve) => echo.close(resolve))
})

test("masked values of the state are not recorded, and a replay can mask different values", async () => {
  const cassette = await recorded({ state: { token: "tok-1", note: "uses tok-1" } }, ["tok-1"])
  expect(JSON.stringify(cassette)).not.toContain("tok-1")
  const player = playCassette(cassette, { mask: ["tok-2"] })
  expect(
    await createRunner(player.services).start(pipeline(), {
      state: { token: "tok-2", note: "uses tok-2" },
    }).result,
  ).toMatchObject({ status: "completed" })
})

test("an invalid cassette is refused", () => {
  for (const broken of [
    null,
    { format: 2, entries: [] },
    { format: 1, entries: [{ kind: "other" }] },
  ]) {
    expect(() => playCassette(broken)).toThrow(
      expect.objectContaining({ code: "cassette_invalid" }),
    )
  }
})
