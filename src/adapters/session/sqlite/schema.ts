/**
 * SQL that creates the tables of a session store in SQLite. Strings from users are stored as JSON,
 * because strings in SQLite cannot contain U+0000 or unpaired surrogates. The column `owner`
 * contains the result of `stateOwnerKey`, which identifies a session, a user or an app.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS sessions (
    app TEXT NOT NULL, user TEXT NOT NULL, id TEXT NOT NULL,
    active_agent TEXT, version INTEGER NOT NULL, saved_by TEXT, saved_records INTEGER, updated_at INTEGER NOT NULL,
    PRIMARY KEY (app, user, id)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session_state (owner TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session_history (owner TEXT NOT NULL, position INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (owner, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session_artifacts (owner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name)) WITHOUT ROWID;
`

/**
 * A row of the table `sessions`. Columns of type `unknown` contain strings. They are read as bytes,
 * which `storedText` decodes.
 */
export interface SessionRow {
  readonly app: unknown
  readonly user: unknown
  readonly id: unknown
  readonly active_agent: unknown
  readonly version: number
  readonly saved_by: unknown
  readonly saved_records: number | null
  readonly updated_at: number
}

const session = `CAST(app AS BLOB) AS app, CAST(user AS BLOB) AS user, CAST(id AS BLOB) AS id,
  CAST(active_agent AS BLOB) AS active_agent, CAST(version AS INTEGER) AS version,
  CAST(saved_by AS BLOB) AS saved_by, CAST(saved_records AS INTEGER) AS saved_records,
  CAST(updated_at AS INTEGER) AS updated_at`

export const statements = {
  create: "INSERT INTO sessions (app, user, id, version, updated_at) VALUES (?, ?, ?, 0, ?)",
  find: `SELECT ${session} FROM sessions WHERE app = ? AND user = ? AND id = ?`,
  listOfUser: `SELECT ${session} FROM sessions WHERE app = ? AND user = ? ORDER BY updated_at DESC`,
  listOfApp: `SELECT ${session} FROM sessions WHERE app = ? ORDER BY updated_at DESC`,
  listOfAllApps: `SELECT ${session} FROM sessions WHERE user = ?`,
  stateOwners:
    "SELECT CAST(owner AS BLOB) AS owner, count(*) AS keys FROM session_state GROUP BY owner",
  update:
    "UPDATE sessions SET active_agent = ?, version = version + 1, saved_by = ?, saved_records = ?, updated_at = ? WHERE app = ? AND user = ? AND id = ?",
  remove: "DELETE FROM sessions WHERE app = ? AND user = ? AND id = ?",
  readState:
    "SELECT CAST(key AS BLOB) AS key, CAST(value AS BLOB) AS value FROM session_state WHERE owner = ?",
  writeState:
    "INSERT INTO session_state (owner, key, value) VALUES (?, ?, ?) ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value",
  removeState: "DELETE FROM session_state WHERE owner = ? AND key = ?",
  removeAllState: "DELETE FROM session_state WHERE owner = ?",
  readHistory:
    "SELECT CAST(entry AS BLOB) AS entry FROM session_history WHERE owner = ? ORDER BY position",
  addEntry: "INSERT INTO session_history (owner, position, entry) VALUES (?, ?, ?)",
  cutHistory: "DELETE FROM session_history WHERE owner = ? AND position >= ?",
  readArtifacts:
    "SELECT CAST(name AS BLOB) AS name, CAST(value AS BLOB) AS value FROM session_artifacts WHERE owner = ?",
  writeArtifact:
    "INSERT INTO session_artifacts (owner, name, value) VALUES (?, ?, ?) ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value",
  removeArtifacts: "DELETE FROM session_artifacts WHERE owner = ?",
} as const
