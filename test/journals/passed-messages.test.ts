import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { PostgresJournal } from "../../src/adapters/journal/postgres/index.js"
import { postgresJournal } from "../../src/adapters/journal/postgres/index.js"
import type { PassedMessage } from "../../src/runtime/journal/message-passing.js"
import type { RunMessage } from "../../src/runtime/run/run-message.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { chartOf, human } from "../support/workflow.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

const chart = chartOf([human("boss")])
const message: RunMessage = { type: "answer", id: "boss#0", value: "yes" }

describe.skipIf(!isThere)("messages to a run of another process", () => {
  let server: Postgres
  const opened: PostgresJournal[] = []

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await Promise.all(opened.map((journal) => journal.close()))
    await server.stop()
  })

  const query = (sql: string): string => server.queryIn("postgres", sql)

  /** Returns journals of two processes. The first one owns the run `r`. */
  async function journals(schema: string): Promise<readonly [PostgresJournal, PostgresJournal]> {
    const open = (): PostgresJournal => {
      const journal = postgresJournal(server.url.replace(/agents$/, "postgres"), { schema })
      opened.push(journal)
      return journal
    }
    const [owner, other] = [open(), open()]
    await owner.create({
      format: 1,
      runId: "r",
      chart,
      input: { prompt: "Go.", state: {} },
      at: 1,
    })
    return [owner, other]
  }
  const send = async (journal: PostgresJournal): Promise<PassedMessage | undefined> =>
    journal.messages?.send("r", message)

  test("the owner receives a message once, and its answer is returned", async () => {
    const [owner, other] = await journals("once")
    const received: unknown[] = []
    owner.messages?.receive(async (...sent) => {
      received.push(sent)
      return received.length === 1
        ? { status: "accepted" }
        : { status: "refused", code: "request_unknown", message: "It is answered." }
    })
    expect(await send(other)).toEqual({ status: "accepted" })
    expect(await send(other)).toMatchObject({ status: "refused", code: "request_unknown" })
    expect(received).toEqual([
      ["r", message],
      ["r", message],
    ])
    expect(query("SELECT count(*) FROM once.run_messages")).toBe("0")
  })

  test("a message has the status unowned if no other process owns the run", async () => {
    const [owner, other] = await journals("released")
    expect(await send(owner)).toEqual({ status: "unowned" })
    await owner.release("r")
    expect(await send(other)).toEqual({ status: "unowned" })
    await owner.delete("r")
    expect(await send(other)).toEqual({ status: "unowned" })
  })

  test("an owner without a receiver refuses messages", async () => {
    const [, other] = await journals("refused")
    expect(await send(other)).toMatchObject({ status: "refused", code: "run_owned" })
  })

  test("a sender does not repeat a message that a lost owner may have processed", async () => {
    const [owner, other] = await journals("ambiguous")
    let processed = (): void => {}
    const isProcessed = new Promise<PassedMessage>(
      (resolve) => (processed = () => resolve({ status: "accepted" })),
    )
    let received = (): void => {}
    const isReceived = new Promise<void>((resolve) => (received = resolve))
    owner.messages?.receive(() => {
      received()
      return isProcessed
    })
    const sent = expect(send(other)).rejects.toMatchObject({
      code: "run_owned",
      message: expect.stringContaining("may have been processed"),
    })
    await isReceived
    query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%ambiguous%run_owners%'",
    )
    await sent
    processed()
    await other.acquire("r")
    expect(await send(owner)).toMatchObject({ status: "refused", code: "run_owned" })
  })
})
