import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import type { TestServer } from "./test-server.js"
import { startTestServer } from "./test-server.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped in part: ${whyNot}`)

const workflow = {
  dialect: "adk",
  rootAgentId: "guide",
  agents: [{ type: "LlmAgent", id: "guide", model: "any", instruction: "Answer in {user:lang?}." }],
}
const scenario = { llm: { guide: [{ content: "Hello." }] } }
const session = { appName: "chat", userId: "ann", sessionId: "monday" }

let place: string
let postgres: Postgres | null = null

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "serve-sessions-"))
  mkdirSync(join(place, "work/guide"), { recursive: true })
  writeFileSync(join(place, "work/guide/workflow.json"), JSON.stringify(workflow))
  writeFileSync(join(place, "work/guide/scenario.json"), JSON.stringify(scenario))
  if (isThere) postgres = await startPostgres()
})
afterAll(async () => {
  rmSync(place, { recursive: true })
  await postgres?.stop()
})

const journals = ["a folder", "SQLite", ...(isThere ? ["PostgreSQL"] : [])] as const

const journalOf = (kind: string): string =>
  kind === "PostgreSQL"
    ? (postgres?.url.replace(/agents$/, "postgres") ?? "")
    : join(place, kind === "SQLite" ? "runs.sqlite" : "runs")

async function stateOf(server: TestServer, runId: string, fields: object): Promise<unknown> {
  const body = { workflow: "guide", prompt: "Hi", runId, session, ...fields }
  expect((await server.ask("/v1/runs", { method: "POST", body })).status).toBe(201)
  const { body: result } = await server.ask(`/v1/runs/${runId}/result?wait=30`)
  expect(result).toMatchObject({ status: "completed", text: "Hello." })
  return result["state"]
}

describe.skipIf(!isBuilt)("sessions of agent-statecharts serve", () => {
  test.each(journals)(
    "a session is stored with the runs in %s, and the next server loads it",
    async (kind) => {
      const serve = () =>
        startTestServer(join(place, "work"), journalOf(kind), [
          "--scripted",
          "--token",
          "test-token",
        ])
      const first = await serve()
      await stateOf(first, "one", { state: { visits: 1, "user:lang": "Finnish" } })
      expect(await first.stop()).toBe(0)
      const second = await serve()
      expect(await stateOf(second, "two", {})).toMatchObject({ visits: 1, "user:lang": "Finnish" })
      const other = { session: { ...session, userId: "bob" } }
      expect(await stateOf(second, "three", other)).not.toHaveProperty("user:lang")
      const wrong = { workflow: "guide", session: { user: "ann" } }
      expect(await second.ask("/v1/runs", { method: "POST", body: wrong })).toMatchObject({
        status: 400,
      })
      expect(await second.stop()).toBe(0)
    },
  )
})
