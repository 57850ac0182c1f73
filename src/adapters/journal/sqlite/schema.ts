/**
 * SQL that creates the tables of a journal in SQLite.
 *
 * Strings from users are stored as JSON, because strings in SQLite cannot contain U+0000 or
 * unpaired surrogates. Records refer to their run by a number, so that the records of recent runs
 * are stored next to each other and a transaction changes few pages. If random ids were used, each
 * record would change a different page. Rows of `runs` change often, so headers are stored in a
 * separate table. The chart is the largest part of a header, so equal charts are stored only once,
 * by their hash.
 *
 * `requests` contains the pending requests of a run. `owner` contains the token of the process that
 * has the lease of the run. `run_callers` contains the callers of child runs. `run_times` contains
 * the times at which runs last stopped executing, and `run_wakes` the next deadlines of waiting
 * runs.
 *
 * Headers and records end with checksums (`checksums.ts`). `tail` is the checksum of the last
 * record, or of the header if there are no records. `crc` is the checksum of the data that lists of
 * runs show. Both are null for runs that were started by a version without checksums.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, chart TEXT NOT NULL, started_at INTEGER NOT NULL,
    status TEXT NOT NULL, requests TEXT NOT NULL, owner TEXT, tail INTEGER, crc INTEGER
  );
  CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status);
  CREATE TABLE IF NOT EXISTS run_headers (run INTEGER PRIMARY KEY, header TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS run_charts (hash TEXT PRIMARY KEY, chart TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run_records (run INTEGER NOT NULL, position INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run_callers (run INTEGER PRIMARY KEY, caller TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS run_times (run INTEGER PRIMARY KEY, settled_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS run_wakes (run INTEGER PRIMARY KEY, wake_at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS run_wakes_by_time ON run_wakes (wake_at);
  CREATE TABLE IF NOT EXISTS run_owners (token TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT, renewed_at INTEGER NOT NULL) WITHOUT ROWID;
`

/**
 * SQL that upgrades a journal file of an older version of this package. The column `pending` is
 * renamed, so that older versions reject the upgraded file.
 */
export const upgrade = {
  table: "runs",
  columns: "number,id,chart,started_at,status,pending,owner",
  statements: `
    ALTER TABLE runs RENAME COLUMN pending TO requests;
    ALTER TABLE runs ADD COLUMN tail INTEGER;
    ALTER TABLE runs ADD COLUMN crc INTEGER;
  `,
}

/**
 * A row of the table `runs`. Columns of type `unknown` contain strings. They are read as bytes,
 * which `storedText` decodes.
 */
export interface RunRow {
  readonly number: number
  readonly id: unknown
  readonly chart: unknown
  readonly started_at: number
  readonly status: unknown
  readonly requests: unknown
  readonly owner: unknown
  readonly tail: number | null
  readonly crc: number | null
  /**
   * For a child run, the id of the run that called it and the path of the call, as JSON. null for
   * all other runs.
   */
  readonly caller: unknown
  /**
   * Time at which the run last stopped executing (settled), in milliseconds since the epoch. null
   * if the run has never stopped.
   */
  readonly settled_at: number | null
  /**
   * Time of the next deadline of a waiting run, in milliseconds since the epoch. null if there is
   * no deadline.
   */
  readonly wake_at: number | null
}

const row = `number, CAST(id AS BLOB) AS id, CAST(chart AS BLOB) AS chart, CAST(started_at AS INTEGER) AS started_at,
  CAST(status AS BLOB) AS status, CAST(requests AS BLOB) AS requests, CAST(owner AS BLOB) AS owner,
  CAST(tail AS INTEGER) AS tail, CAST(crc AS INTEGER) AS crc,
  (SELECT CAST(caller AS BLOB) FROM run_callers WHERE run_callers.run = runs.number) AS caller,
  (SELECT CAST(settled_at AS INTEGER) FROM run_times WHERE run_times.run = runs.number) AS settled_at,
  (SELECT CAST(wake_at AS INTEGER) FROM run_wakes WHERE run_wakes.run = runs.number) AS wake_at`

const ownerRow = `CAST(token AS BLOB) AS token, CAST(host AS BLOB) AS host, CAST(pid AS INTEGER) AS pid,
  CAST(began AS BLOB) AS began, CAST(renewed_at AS INTEGER) AS renewed_at`

/**
 * A row of the table `run_owners`. Columns of type `unknown` contain strings. They are read as
 * bytes, which `storedText` decodes.
 */
export interface OwnerRow {
  readonly token: unknown
  readonly host: unknown
  readonly pid: number
  readonly began: unknown
  readonly renewed_at: number
}

export const statements = {
  create:
    "INSERT INTO runs (id, chart, started_at, status, requests, owner, tail, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
  keepChart: "INSERT INTO run_charts (hash, chart) VALUES (?, ?) ON CONFLICT DO NOTHING",
  keepHeader: "INSERT INTO run_headers (run, header) VALUES (?, ?)",
  // This statement changes nothing if the run has another owner.
  replace:
    "UPDATE runs SET chart = ?, status = ?, requests = ?, tail = ?, crc = ? WHERE number = ? AND owner = ?",
  replaceHeader: "UPDATE run_headers SET header = ? WHERE run = ?",
  keepCaller: "INSERT INTO run_callers (run, caller) VALUES (?, ?)",
  keepTime:
    "INSERT INTO run_times (run, settled_at) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET settled_at = excluded.settled_at",
  keepWake:
    "INSERT INTO run_wakes (run, wake_at) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET wake_at = excluded.wake_at",
  // This statement changes nothing if the run has another owner.
  goOn: "UPDATE runs SET status = 'running', requests = '[]', tail = ?, crc = ? WHERE number = ? AND owner = ?",
  advance: "UPDATE runs SET tail = ? WHERE number = ? AND owner = ?",
  append: "INSERT INTO run_records (run, position, record) VALUES (?, ?, ?)",
  count:
    "SELECT coalesce(max(CAST(position AS INTEGER)) + 1, 0) AS records FROM run_records WHERE run = ?",
  known: "SELECT 1 FROM runs WHERE id = ?",
  run: `SELECT ${row} FROM runs WHERE id = ?`,
  header: "SELECT CAST(header AS BLOB) AS header FROM run_headers WHERE run = ?",
  chart: "SELECT CAST(chart AS BLOB) AS chart FROM run_charts WHERE hash = ?",
  records:
    "SELECT CAST(position AS INTEGER) AS position, CAST(record AS BLOB) AS record FROM run_records WHERE run = ? ORDER BY position",
  ownerOf: `SELECT ${ownerRow} FROM runs JOIN run_owners ON runs.owner = run_owners.token WHERE runs.id = ?`,
  take: "UPDATE runs SET owner = ? WHERE id = ? RETURNING number",
  release: "UPDATE runs SET owner = NULL WHERE number = ? AND owner = ?",
  note: "UPDATE runs SET status = ?, requests = ?, crc = ? WHERE number = ? AND owner = ?",
  renew:
    "INSERT INTO run_owners (token, host, pid, began, renewed_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (token) DO UPDATE SET renewed_at = excluded.renewed_at",
  owner: `SELECT ${ownerRow} FROM run_owners WHERE token = ?`,
  forget: "DELETE FROM run_owners WHERE token = ?",
  list: `SELECT ${row} FROM runs ORDER BY number`,
  listOfStatus: `SELECT ${row} FROM runs WHERE status = ? ORDER BY number`,
  listOfResumable: `SELECT ${row} FROM runs WHERE status = 'running'
    OR number IN (SELECT run FROM run_wakes WHERE wake_at <= ?) ORDER BY number`,
  numberOf: "SELECT number FROM runs WHERE id = ?",
  deleteRun: "DELETE FROM runs WHERE number = ?",
  deleteHeader: "DELETE FROM run_headers WHERE run = ?",
  deleteRecords: "DELETE FROM run_records WHERE run = ?",
  deleteCaller: "DELETE FROM run_callers WHERE run = ?",
  deleteTime: "DELETE FROM run_times WHERE run = ?",
  deleteWake: "DELETE FROM run_wakes WHERE run = ?",
  hasChart: "SELECT 1 FROM run_charts WHERE hash = ?",
  chartHashes: "SELECT CAST(hash AS BLOB) AS hash FROM run_charts",
  deleteChart: "DELETE FROM run_charts WHERE hash = ?",
  headersAfter:
    "SELECT run, CAST(header AS BLOB) AS header FROM run_headers WHERE run > ? ORDER BY run LIMIT 500",
  integrity: "SELECT CAST(integrity_check AS BLOB) AS problem FROM pragma_integrity_check",
} as const
