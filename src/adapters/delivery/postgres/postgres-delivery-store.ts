import type { StoredDelivery, DeliveryStore } from "../../../runtime/journal/delivery-store.js"
import { loadPg } from "../../postgres/load-pg.js"
import { poolUser, preparedPool } from "../../postgres/prepared-pool.js"
import type { TableSet } from "../../postgres/prepare-tables.js"
import { quoted } from "../../postgres/prepare-tables.js"
import type { DeliveryTexts } from "../delivery-row.js"
import { deliveryOf, keyColumns, newDelivery } from "../delivery-row.js"

const pg = await loadPg("adapters/journal/postgres")

/**
 * A row of the table `webhook_deliveries`. `version` is a string, because the PostgreSQL driver
 * returns `bigint` numbers as strings.
 */
interface DeliveryRow extends DeliveryTexts {
  readonly version: string
}

export interface PostgresDeliveryStore extends DeliveryStore {
  /** Closes the database connections. The store cannot be used after that. */
  close(): Promise<void>
}

/**
 * Creates a store for the progress of webhook deliveries. The tables are in the PostgreSQL schema
 * `schema`, which can also contain a journal (the tables of runs).
 */
export function postgresDeliveryStore(
  url: string,
  schema = "agent_statecharts",
): PostgresDeliveryStore {
  const table = `${quoted(schema)}.webhook_deliveries`
  const columns = "run, receiver, version, progress"
  const tableSet: TableSet = {
    schema,
    create: `
      CREATE TABLE IF NOT EXISTS ${table} (
        run text NOT NULL, receiver text NOT NULL, version bigint NOT NULL, due_at bigint, progress text NOT NULL,
        PRIMARY KEY (run, receiver)
      ) WITH (fillfactor = 70);
      CREATE INDEX IF NOT EXISTS webhook_deliveries_by_due_time ON ${table} (due_at) WHERE due_at IS NOT NULL;`,
    contentTables: [table],
    format: `${quoted(schema)}.webhook_format`,
    version: 1,
    errorCode: "journal_failed",
  }
  const prepared = preparedPool(pg, url, 5, tableSet)
  const typed = poolUser(prepared, tableSet, "delivery store")
  const read = async (
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly StoredDelivery[]> => {
    const { rows } = await typed((from) =>
      from.query<DeliveryRow>(`SELECT ${columns} FROM ${table} ${sql}`, [...values]),
    )
    return rows.map((row) => deliveryOf(row, Number(row.version)))
  }
  const change = async (sql: string, values: readonly unknown[]): Promise<boolean> => {
    const { rowCount } = await typed((from) => from.query(sql, [...values]))
    return (rowCount ?? 0) > 0
  }
  return {
    async create(key, progress) {
      const isCreated = await change(
        `INSERT INTO ${table} (run, receiver, version, due_at, progress) VALUES ($1, $2, 0, $3, $4) ON CONFLICT DO NOTHING`,
        [...keyColumns(key), progress.dueAt, JSON.stringify(progress)],
      )
      return isCreated ? newDelivery(key, progress) : null
    },
    load: async (key) =>
      (await read("WHERE run = $1 AND receiver = $2", keyColumns(key)))[0] ?? null,
    ofRun: (runId) => read("WHERE run = $1 ORDER BY receiver", [JSON.stringify(runId)]),
    async replace(delivery, progress) {
      const { version } = delivery
      const isReplaced = await change(
        `UPDATE ${table} SET version = version + 1, due_at = $4, progress = $5 WHERE run = $1 AND receiver = $2 AND version = $3`,
        [...keyColumns(delivery), version, progress.dueAt, JSON.stringify(progress)],
      )
      return isReplaced ? { ...delivery, version: version + 1, progress } : null
    },
    remove: (delivery) =>
      change(`DELETE FROM ${table} WHERE run = $1 AND receiver = $2 AND version = $3`, [
        ...keyColumns(delivery),
        delivery.version,
      ]),
    due: (now, most) => read("WHERE due_at <= $1 ORDER BY due_at LIMIT $2", [now, most]),
    list: () => read("ORDER BY run, receiver", []),
    close: () => prepared.pool.end(),
  }
}
