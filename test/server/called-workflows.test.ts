import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/client/index.js"
import { isBuilt } from "../cli/command.js"
import { writeCalledWorkflows } from "./called-workflows.js"
import { differences } from "./open-api-check.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess, startTestServer } from "./test-server.js"

describe.skipIf(!isBuilt)("a workflow that is called by its name", () => {
  const place = mkdtempSync(join(tmpdir(), "called-"))
  let server: TestServer

  const serve = (start = startTestServer): Promise<TestServer> =>
    start(join(place, "work"), join(place, "runs"), ["--scripted", "--token", "test-token"])

  beforeAll(async () => {
    writeCalledWorkflows(join(place, "work"))
    server = await serve(startServerProcess)
  })

  afterAll(async () => {
    await server.stop()
    rmSync(place, { recursive: true })
  })

  test("a called workflow runs as a child run with a link to its caller, also after the server was killed", async () => {
    const client = createClient({ url: server.origin, token: server.token })
    const run = await client.start({ workflow: "newsletter", runId: "n1" })
    const { status, pending } = await run.whenSettled()
    expect(status).toBe("waiting")
    const child = "n1/newsletter/review#0"
    expect(pending).toMatchObject([{ child: { runId: child, request: "flow/boss#0" } }])

    const calledBy = { runId: "n1", path: "newsletter/review" }
    const list = await server.ask("/v1/runs")
    expect(list.body["runs"]).toMatchObject([
      { runId: child, status: "waiting", calledBy },
      { runId: "n1", status: "waiting" },
    ])
    const [, caller] = list.body["runs"] as readonly object[]
    expect(caller).not.toHaveProperty("calledBy")
    const path = `/v1/runs/${encodeURIComponent(child)}`
    const one = await server.ask(path)
    expect(one.body).toMatchObject({ runId: child, calledBy })
    const document = (await server.ask("/openapi.json")).body
    expect(differences(document, "GET", "/v1/runs", list)).toEqual([])
    expect(differences(document, "GET", path, one)).toEqual([])
    expect((await client.runs()).map((summary) => summary.calledBy)).toEqual([calledBy, undefined])
    expect((await client.run(child).status()).calledBy).toEqual(calledBy)

    await server.stop("SIGKILL")
    server = await serve()
    const later = createClient({ url: server.origin, token: server.token })
    expect((await later.run(child).status()).calledBy).toEqual(calledBy)
    await later.run("n1").answer(String(pending[0]?.id), "yes")
    expect(await later.run("n1").whenSettled()).toMatchObject({
      status: "completed",
      text: "printed",
    })
    // The server caches the list of runs for one second.
    await expect
      .poll(async () => (await later.runs()).map(({ status, calledBy }) => [status, calledBy]))
      .toEqual([
        ["completed", calledBy],
        ["completed", undefined],
      ])
  })
})
