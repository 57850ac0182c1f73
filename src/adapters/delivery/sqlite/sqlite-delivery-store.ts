import type {
  StoredDelivery,
  DeliveryKey,
  DeliveryStore,
} from "../../../runtime/journal/delivery-store.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { storedText } from "../../sqlite/stored-text.js"
import { storeFailed } from "../../store-failed.js"
import { deliveryOf, keyColumns, newDelivery } from "../delivery-row.js"

const schema = `
  CREATE TABLE IF NOT EXISTS webhook_deliveries (
    run TEXT NOT NULL, receiver TEXT NOT NULL, version INTEGER NOT NULL, due_at INTEGER, progress TEXT NOT NULL,
    PRIMARY KEY (run, receiver)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS webhook_deliveries_by_due_time ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
`

const columns = `CAST(run AS BLOB) AS run, CAST(receiver AS BLOB) AS receiver,
  CAST(version AS INTEGER) AS version, CAST(progress AS BLOB) AS progress`
const table = "FROM webhook_deliveries"

const statements = {
  create:
    "INSERT INTO webhook_deliveries (run, receiver, version, due_at, progress) VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING",
  load: `SELECT ${columns} ${table} WHERE run = ? AND receiver = ?`,
  ofRun: `SELECT ${columns} ${table} WHERE run = ? ORDER BY receiver`,
  replace:
    "UPDATE webhook_deliveries SET version = version + 1, due_at = ?, progress = ? WHERE run = ? AND receiver = ? AND version = ?",
  remove: `DELETE ${table} WHERE run = ? AND receiver = ? AND version = ?`,
  due: `SELECT ${columns} ${table} WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
  list: `SELECT ${columns} ${table} ORDER BY run, receiver`,
} as const

/**
 * A row of the table `webhook_deliveries`. Columns of type `unknown` contain strings. They are read
 * as bytes, which `storedText` decodes.
 */
interface DeliveryRow {
  readonly run: unknown
  readonly receiver: unknown
  readonly version: number
  readonly progress: unknown
}

export interface SqliteDeliveryStore extends DeliveryStore {
  /** Closes the database file. The store cannot be used after that. */
  close(): Promise<void>
}

/**
 * Creates a store for the progress of webhook deliveries in a SQLite file. The file can also
 * contain a journal (the tables of runs).
 */
export function sqliteDeliveryStore(file: string): SqliteDeliveryStore {
  const typed = <Value>(act: () => Value): Value => {
    try {
      return act()
    } catch (error) {
      throw storeFailed("journal_failed", `the delivery store ${file}`, error)
    }
  }
  const database = typed(() =>
    openDatabase(file, { schema, statements, busyTimeoutMs: 5000, errorCode: "journal_failed" }),
  )
  const { prepared } = database
  const read = (rows: readonly unknown[]): readonly StoredDelivery[] =>
    (rows as DeliveryRow[]).map(toDelivery)
  const load = (key: DeliveryKey): StoredDelivery | null =>
    read(prepared.load.all(...keyColumns(key)))[0] ?? null
  return {
    create: async (key, progress) =>
      typed(() => {
        const { dueAt } = progress
        const { changes } = prepared.create.run(...keyColumns(key), dueAt, JSON.stringify(progress))
        return changes > 0 ? newDelivery(key, progress) : null
      }),
    load: async (key) => typed(() => load(key)),
    ofRun: async (runId) => typed(() => read(prepared.ofRun.all(JSON.stringify(runId)))),
    replace: async (delivery, progress) =>
      typed(() => {
        const { version } = delivery
        const { changes } = prepared.replace.run(
          progress.dueAt,
          JSON.stringify(progress),
          ...keyColumns(delivery),
          version,
        )
        return changes > 0 ? { ...delivery, version: version + 1, progress } : null
      }),
    remove: async (delivery) =>
      typed(() => prepared.remove.run(...keyColumns(delivery), delivery.version).changes > 0),
    due: async (now, most) => typed(() => read(prepared.due.all(now, most))),
    list: async () => typed(() => read(prepared.list.all())),
    close: async () => database.close(),
  }
}

const toDelivery = ({ run, receiver, version, progress }: DeliveryRow): StoredDelivery =>
  deliveryOf(
    {
      run: storedText(run, "the run of a delivery"),
      receiver: storedText(receiver, "the receiver of a delivery"),
      progress: storedText(progress, "the progress of a delivery"),
    },
    version,
  )
