/**
 * Texts of users are stored as JSON, which can hold every text: SQLite's own cannot, such as U+0000 and half a surrogate
 * pair. `owner` is what `ownerOf` gives: state may belong to a session, to a user, or to an app.
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

/** A row of `sessions`. */
export interface SessionRow {
  readonly app: string
  readonly user: string
  readonly id: string
  readonly active_agent: string | null
  readonly version: number
  readonly saved_by: string | null
  readonly saved_records: number | null
  readonly updated_at: number
}

export const statements = {
  create: "INSERT INTO sessions (app, user, id, version, updated_at) VALUES (?, ?, ?, 0, ?)",
  find: "SELECT * FROM sessions WHERE app = ? AND user = ? AND id = ?",
  listOfUser: "SELECT * FROM sessions WHERE app = ? AND user = ? ORDER BY updated_at DESC",
  listOfApp: "SELECT * FROM sessions WHERE app = ? ORDER BY updated_at DESC",
  update:
    "UPDATE sessions SET active_agent = ?, version = version + 1, saved_by = ?, saved_records = ?, updated_at = ? WHERE app = ? AND user = ? AND id = ?",
  remove: "DELETE FROM sessions WHERE app = ? AND user = ? AND id = ?",
  readState: "SELECT key, value FROM session_state WHERE owner = ?",
  writeState:
    "INSERT INTO session_state (owner, key, value) VALUES (?, ?, ?) ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value",
  removeState: "DELETE FROM session_state WHERE owner = ? AND key = ?",
  removeAllState: "DELETE FROM session_state WHERE owner = ?",
  readHistory: "SELECT entry FROM session_history WHERE owner = ? ORDER BY position",
  addEntry: "INSERT INTO session_history (owner, position, entry) VALUES (?, ?, ?)",
  cutHistory: "DELETE FROM session_history WHERE owner = ? AND position >= ?",
  readArtifacts: "SELECT name, value FROM session_artifacts WHERE owner = ?",
  writeArtifact:
    "INSERT INTO session_artifacts (owner, name, value) VALUES (?, ?, ?) ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value",
  removeArtifacts: "DELETE FROM session_artifacts WHERE owner = ?",
} as const
