/**
 * Texts that may come from anywhere are stored as JSON, which can hold every text: SQLite's own cannot, such as U+0000 and half
 * a surrogate pair. Runs have numbers, so that what runs store at the same time lies side by side and dirties few pages: by their ids, which
 * are random, each record would dirty one of its own. `pending` are the requests that a run waits for, `owner` who carries it on. A row of
 * `runs` changes as the run does, so headers are kept beside them; and a chart, which is most of a header and that of many runs, is kept
 * once, by the hash of its text.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, chart TEXT NOT NULL, started_at INTEGER NOT NULL,
    status TEXT NOT NULL, pending TEXT NOT NULL, owner TEXT
  );
  CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status);
  CREATE TABLE IF NOT EXISTS run_headers (run INTEGER PRIMARY KEY, header TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS run_charts (hash TEXT PRIMARY KEY, chart TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run_records (run INTEGER NOT NULL, position INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run_owners (token TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT, renewed_at INTEGER NOT NULL) WITHOUT ROWID;
`

/** A row of `runs` beside its owner's. */
export interface RunRow {
  readonly id: string
  readonly chart: string
  readonly started_at: number
  readonly status: string
  readonly pending: string
  readonly owner: string | null
}

/** A row of `run_owners`. */
export interface OwnerRow {
  readonly token: string
  readonly host: string
  readonly pid: number
  readonly began: string | null
  readonly renewed_at: number
}

export const statements = {
  create:
    "INSERT INTO runs (id, chart, started_at, status, pending, owner) VALUES (?, ?, ?, 'running', '[]', ?) ON CONFLICT DO NOTHING",
  keepChart: "INSERT INTO run_charts (hash, chart) VALUES (?, ?) ON CONFLICT DO NOTHING",
  keepHeader: "INSERT INTO run_headers (run, header) VALUES (?, ?)",
  // Nothing is changed for a run that somebody else owns.
  goOn: "UPDATE runs SET status = 'running', pending = '[]' WHERE number = ? AND owner = ?",
  append:
    "INSERT INTO run_records (run, position, record) SELECT number, ?, ? FROM runs WHERE number = ? AND owner = ?",
  count: "SELECT coalesce(max(position) + 1, 0) AS records FROM run_records WHERE run = ?",
  known: "SELECT 1 FROM runs WHERE id = ?",
  header: "SELECT number, header FROM runs JOIN run_headers ON run = number WHERE id = ?",
  chart: "SELECT chart FROM run_charts WHERE hash = ?",
  records: "SELECT record FROM run_records WHERE run = ? ORDER BY position",
  ownerOf:
    "SELECT run_owners.* FROM runs JOIN run_owners ON runs.owner = run_owners.token WHERE runs.id = ?",
  take: "UPDATE runs SET owner = ? WHERE id = ? RETURNING number",
  release: "UPDATE runs SET owner = NULL WHERE number = ? AND owner = ?",
  note: "UPDATE runs SET status = ?, pending = ? WHERE number = ? AND owner = ?",
  renew:
    "INSERT INTO run_owners (token, host, pid, began, renewed_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (token) DO UPDATE SET renewed_at = excluded.renewed_at",
  owner: "SELECT * FROM run_owners WHERE token = ?",
  forget: "DELETE FROM run_owners WHERE token = ?",
  list: "SELECT id, chart, started_at, status, pending, owner FROM runs ORDER BY number",
  listOfStatus:
    "SELECT id, chart, started_at, status, pending, owner FROM runs WHERE status = ? ORDER BY number",
} as const
