import type { QueryResultRow } from "pg"
import { AgentStatechartsError } from "../../../errors.js"
import type {
  MessagePassing,
  MessageReceiver,
  PassedMessage,
} from "../../../runtime/journal/message-passing.js"
import type { Tables } from "./schema.js"
import { lockIsHeldSql } from "../../postgres/advisory-locks.js"
import { channelOfOwner } from "./schema.js"

type Query = <Row extends QueryResultRow>(
  sql: string,
  values: readonly unknown[],
) => Promise<readonly Row[]>

interface TakenRow {
  readonly number: string
  readonly id: string
  readonly message: string
}

interface ResultRow {
  readonly result: string | null
  readonly is_alive: boolean
}

/**
 * Interval in milliseconds at which a sender checks for the result of its message to another
 * process. The check is necessary because the notification about the result may be lost.
 */
const checkMs = 1_000

/**
 * Maximum time in milliseconds that a sender waits for the result of its message to another
 * process.
 */
const answerMs = 30_000

const unowned: PassedMessage = { status: "unowned" }

/**
 * A channel that passes messages to the processes that own runs in the same PostgreSQL schema. Each
 * message is a row in a table, because a notification has at most 8,000 bytes. The owner of the run
 * marks the row before it processes the message, so that the message is processed at most once.
 * Then it stores the result in the row.
 */
export class RunMessages implements MessagePassing {
  readonly #query: Query
  readonly #table: string
  readonly #tables: Tables
  readonly #ownKey: () => Promise<string>
  readonly #receivers: MessageReceiver[] = []
  /**
   * For each message that waits for its result, a function that wakes the waiting sender. The key
   * is the number of the message.
   */
  readonly #waiting = new Map<string, () => void>()
  readonly #active = new Set<Promise<void>>()

  /**
   * `query` executes SQL statements. `tables` contains the names of the tables. `ownKey` returns
   * the key of the advisory lock that identifies this process.
   */
  constructor(query: Query, tables: Tables, ownKey: () => Promise<string>) {
    this.#query = query
    this.#table = tables.messages
    this.#tables = tables
    this.#ownKey = ownKey
  }

  receive(receiver: MessageReceiver): void {
    this.#receivers.push(receiver)
  }

  /**
   * Handles a PostgreSQL notification to this process. The text is `take` and a message number if
   * there is a new message, or `done` and a message number if a message has a result.
   */
  notified(text: string): void {
    const [kind, number = ""] = text.split(" ")
    if (kind === "done") return this.#waiting.get(number)?.()
    // If the database fails here, the sender receives no result and reports an error.
    const taking = this.#take(number).catch(() => {})
    this.#active.add(taking)
    void taking.finally(() => this.#active.delete(taking))
  }

  /**
   * Resolves when this process has processed all messages that it received from other processes.
   */
  async idle(): Promise<void> {
    await Promise.all(this.#active)
  }

  async send(runId: string, message: unknown): Promise<PassedMessage> {
    const key = await this.#ownKey()
    const [sent] = await this.#query<{ readonly number: string }>(
      `WITH sent AS (
         INSERT INTO ${this.#table} (run, sender, recipient, message)
           SELECT number, $2, owner, $3 FROM ${this.#tables.runs} AS runs WHERE id = $1 AND owner <> $2 AND ${lockIsHeldSql("runs.owner")}
           RETURNING number, recipient
       ) SELECT number, pg_notify(${channelOfOwner("recipient")}, 'take ' || number) FROM sent`,
      [JSON.stringify(runId), key, JSON.stringify(message)],
    )
    if (sent === undefined) return unowned
    try {
      return await this.#resultOf(runId, sent.number)
    } finally {
      this.#waiting.delete(sent.number)
      await this.#query(`DELETE FROM ${this.#table} WHERE number = $1`, [sent.number])
    }
  }

  /**
   * Waits for the result of a message and returns the result. Withdraws the message if the process
   * that owns the run has ended or does not answer in time.
   */
  async #resultOf(runId: string, number: string): Promise<PassedMessage> {
    for (let waitedMs = 0; ; waitedMs += checkMs) {
      const woken = this.#woken(number)
      const [row] = await this.#query<ResultRow>(
        `SELECT result, ${lockIsHeldSql("recipient")} AS is_alive FROM ${this.#table} WHERE number = $1`,
        [number],
      )
      // The run and its messages were deleted.
      if (row === undefined) return unowned
      if (row.result !== null) return JSON.parse(row.result) as PassedMessage
      if (!row.is_alive || waitedMs >= answerMs) {
        const withdrawn = await this.#query(
          `DELETE FROM ${this.#table} WHERE number = $1 AND NOT is_taken RETURNING 1`,
          [number],
        )
        if (withdrawn.length > 0 && !row.is_alive) return unowned
        throw notAnswered(runId, withdrawn.length > 0)
      }
      await woken
    }
  }

  /**
   * Resolves when a notification reports that the message with the number `number` has a result, or
   * after `checkMs` at the latest.
   */
  #woken(number: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, checkMs)
      this.#waiting.set(number, () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async #take(number: string): Promise<void> {
    const [taken] = await this.#query<TakenRow>(
      `UPDATE ${this.#table} AS messages SET is_taken = true FROM ${this.#tables.runs} AS runs
         WHERE messages.number = $1 AND NOT is_taken AND recipient = $2 AND runs.number = messages.run
         RETURNING messages.number, runs.id, message`,
      [number, await this.#ownKey()],
    )
    if (taken === undefined) return
    const result = await this.#process(taken)
    await this.#query(
      `WITH done AS (UPDATE ${this.#table} SET result = $2 WHERE number = $1 RETURNING number, sender)
       SELECT pg_notify(${channelOfOwner("sender")}, 'done ' || number) FROM done`,
      [number, JSON.stringify(result)],
    )
  }

  async #process({ id, message }: TakenRow): Promise<PassedMessage> {
    // The cast is safe, because this package has written the id.
    const runId = JSON.parse(id) as string
    const sent: unknown = JSON.parse(message)
    if (this.#receivers.length === 0)
      return {
        status: "refused",
        code: "run_owned",
        message: `run "${runId}" is owned by a process that accepts no messages of other processes; wait until the run ends there, or stop that process first`,
      }
    for (const receiver of this.#receivers) {
      const result = await receiver(runId, sent)
      if (result.status !== "unowned") return result
    }
    return unowned
  }
}

const notAnswered = (runId: string, isWithdrawn: boolean): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    isWithdrawn
      ? `run "${runId}" is owned by a process that does not answer; send the message again later`
      : `the process that owns run "${runId}" ended or did not answer after it received the message, so the message may have been processed; read the run before you send the message again`,
  )
