import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../../cli/command.js"
import { eventually } from "../../support/eventually.js"
import type { Postgres } from "../../support/postgres.js"
import { programs, startPostgres, whyNot } from "../../support/postgres.js"
import { sign } from "../../support/webhook-receiver.js"
import type { Answer, TestServer } from "../test-server.js"
import { startServerProcess } from "../test-server.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
const place = mkdtempSync(join(tmpdir(), "shared-runs-"))
const webhooks = {
  incoming: [
    { name: "answers", secret: "IN_SECRET", run: "/run", request: "/request", answer: "/value" },
  ],
}
const workflow = {
  rootAgentId: "line",
  agents: [
    { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "boss" }, { agentId: "clerk" }] },
    { type: "HumanAgent", id: "boss", prompt: "May we?", outputKey: "boss" },
    { type: "HumanAgent", id: "clerk", prompt: "Done?", outputKey: "clerk" },
  ],
}

describe.skipIf(!isBuilt || !isThere)("two servers on one PostgreSQL database", () => {
  let postgres: Postgres
  let owner: TestServer
  let other: TestServer

  const serve = (): Promise<TestServer> =>
    startServerProcess(
      join(place, "line.json"),
      postgres.url.replace(/agents$/, "postgres"),
      ["--webhooks", join(place, "webhooks.json"), "--token", "test-token"],
      { IN_SECRET: secret },
    )

  beforeAll(async () => {
    postgres = await startPostgres()
    writeFileSync(join(place, "line.json"), JSON.stringify(workflow))
    writeFileSync(join(place, "webhooks.json"), JSON.stringify(webhooks))
    ;[owner, other] = await Promise.all([serve(), serve()])
  })
  afterAll(async () => {
    await Promise.all([owner, other].map((server) => server.stop("SIGKILL")))
    await postgres.stop()
    rmSync(place, { recursive: true })
  })

  const start = async (runId: string): Promise<void> => {
    const body = { workflow: "line", runId }
    expect((await owner.ask("/v1/runs", { method: "POST", body })).status).toBe(201)
    await pendingOf(runId, "boss")
  }
  /** Waits until the run has stored the request of this agent. */
  const pendingOf = (runId: string, agent: string): Promise<void> =>
    eventually(async () => {
      const { body } = await other.ask(`/v1/runs/${runId}`)
      expect(body["pending"]).toMatchObject([{ id: `line/${agent}#0` }])
    })
  const send = (
    server: TestServer,
    run: string,
    agent: string,
    value: unknown,
  ): Promise<Answer> => {
    const body = JSON.stringify({ run, request: `line/${agent}#0`, value })
    const headers = { authorization: "", ...sign(secret, body, { id: `${run} ${agent} ${value}` }) }
    return server.ask("/v1/hooks/answers", { method: "POST", body, headers })
  }
  const expectState = (runId: string, state: object): Promise<void> =>
    eventually(async () => {
      const { body } = await other.ask(`/v1/runs/${runId}/result`)
      expect(body["state"]).toMatchObject(state)
    })

  test("a server answers a run that the other server executes", async () => {
    await start("shared")
    expect(await send(other, "shared", "boss", "yes")).toMatchObject({
      status: 200,
      body: { status: "answered", runId: "shared", request: "line/boss#0" },
    })
    await pendingOf("shared", "clerk")
    const answer = (value: unknown): Promise<Answer> =>
      other.ask("/v1/runs/shared/answer", {
        method: "POST",
        body: { id: "line/clerk#0", value },
      })
    const answered = await answer("done")
    expect(answered).toMatchObject({ status: 200, body: { isHere: false } })
    await expectState("shared", { boss: "yes", clerk: "done" })
    expect((await answer("done")).status).toBe(409)
  })

  test("only one of many concurrent answers through both servers is accepted", async () => {
    await start("many")
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(n % 2 === 0 ? owner : other, "many", "boss", n)),
    )
    const accepted = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    expect(accepted).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 200) expect(body["code"]).toBe("request_unknown")
    await expectState("many", { boss: accepted[0] })
  })

  test("a server executes the run itself if the owner is killed before it reads the message", async () => {
    await start("killed")
    void owner.stop("SIGSTOP")
    const sent = send(other, "killed", "boss", "yes")
    await eventually(() =>
      expect(
        postgres.queryIn("postgres", "SELECT count(*) FROM agent_statecharts.run_messages"),
      ).toBe("1"),
    )
    await owner.stop("SIGKILL")
    expect(await sent).toMatchObject({ status: 200, body: { status: "answered" } })
    await pendingOf("killed", "clerk")
    expect((await send(other, "killed", "clerk", "done")).status).toBe(200)
    await expectState("killed", { boss: "yes", clerk: "done" })
  })
})
