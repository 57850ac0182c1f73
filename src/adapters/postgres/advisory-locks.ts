import { randomBytes } from "node:crypto"
import { Socket } from "node:net"
import type { Client, default as Pg } from "pg"

/**
 * SQL that selects the keys of all advisory locks that connections to this PostgreSQL database
 * hold.
 */
const heldKeys = `
  SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/**
 * Returns an SQL condition that is true if any connection holds the advisory lock whose key is in
 * `column`.
 */
export const lockIsHeldSql = (column: string): string => `${column} IN (${heldKeys})`

/**
 * The key of an advisory lock that identifies this process in a PostgreSQL database, and the
 * connection that holds the lock.
 */
export interface HeldLock {
  readonly key: string
  readonly client: Client
}

/**
 * Opens a PostgreSQL connection that holds an advisory lock with a random key. PostgreSQL releases
 * the lock when the process or the connection ends. If `keepsAlive` is false, the process can end
 * while the connection is open.
 */
export async function holdLock(
  pg: typeof Pg,
  url: string,
  { keepsAlive }: { readonly keepsAlive: boolean },
): Promise<HeldLock> {
  const socket = new Socket()
  const client = new pg.Client({ connectionString: url, keepAlive: true, stream: () => socket })
  const key = randomBytes(8).readBigInt64BE().toString()
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock($1)", [key])
  } catch (error) {
    await client.end()
    throw error
  }
  if (!keepsAlive) socket.unref()
  return { key, client }
}
