import { quoted } from "../../postgres/prepare-tables.js"

/** Names of the tables of a session store in one PostgreSQL schema, quoted for SQL. */
export interface SessionTables {
  readonly format: string
  readonly sessions: string
  readonly state: string
  readonly history: string
  readonly artifacts: string
}

/** Returns the names of the tables of a session store in a PostgreSQL schema, quoted for SQL. */
export function sessionTablesIn(schema: string): SessionTables {
  const name = quoted(schema)
  return {
    format: `${name}.session_format`,
    sessions: `${name}.sessions`,
    state: `${name}.session_state`,
    history: `${name}.session_history`,
    artifacts: `${name}.session_artifacts`,
  }
}

/** Version of the format of the session tables. Tables with another version are rejected. */
export const sessionFormatVersion = 1

/**
 * Returns SQL that creates the tables of a session store.
 *
 * Strings from users are stored as JSON, because strings in PostgreSQL cannot contain U+0000. The
 * JSON of a string is never empty, so an empty column can mark shared state. If `session` is empty,
 * the sessions of a user share the state. If `user_id` is also empty, the state belongs to the app.
 */
export const createSessionTables = ({
  sessions,
  state,
  history,
  artifacts,
}: SessionTables): string => `
  CREATE TABLE IF NOT EXISTS ${sessions} (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, app text NOT NULL, user_id text NOT NULL, session text NOT NULL,
    active_agent text, version bigint NOT NULL, saved_by text, saved_records bigint, updated_at bigint NOT NULL,
    UNIQUE (app, user_id, session)
  );
  CREATE TABLE IF NOT EXISTS ${state} (
    app text NOT NULL, user_id text NOT NULL, session text NOT NULL, key text NOT NULL, value text NOT NULL,
    PRIMARY KEY (app, user_id, session, key)
  );
  CREATE TABLE IF NOT EXISTS ${history} (
    session bigint NOT NULL REFERENCES ${sessions} ON DELETE CASCADE, position integer NOT NULL, entry text NOT NULL, PRIMARY KEY (session, position)
  );
  CREATE TABLE IF NOT EXISTS ${artifacts} (
    session bigint NOT NULL REFERENCES ${sessions} ON DELETE CASCADE, name text NOT NULL, value text NOT NULL, PRIMARY KEY (session, name)
  );
`

const columns =
  "app, user_id, session, active_agent, version, saved_by, saved_records, updated_at" as const

/**
 * A row of the table `sessions`. Texts of users are stored as JSON. The PostgreSQL driver returns
 * `bigint` numbers as strings.
 */
export interface PostgresSessionRow {
  readonly number: string
  readonly app: string
  readonly user_id: string
  readonly session: string
  readonly active_agent: string | null
  readonly version: string
  readonly saved_by: string | null
  readonly saved_records: string | null
  readonly updated_at: string
}

/**
 * A row with a session and its state, history and artifacts. A list is null if it has no entries.
 */
export interface LoadedSessionRow extends PostgresSessionRow {
  readonly keys: readonly string[] | null
  readonly values: readonly string[] | null
  readonly entries: readonly string[] | null
  readonly names: readonly string[] | null
  readonly artifacts: readonly string[] | null
}

/**
 * Returns the SQL statements with which a session store creates, loads, changes and deletes
 * sessions.
 */
export const statementsFor = ({ sessions, state, history, artifacts }: SessionTables) =>
  ({
    create: `INSERT INTO ${sessions} (app, user_id, session, version, updated_at) VALUES ($1, $2, $3, 0, $4)
      ON CONFLICT DO NOTHING RETURNING number`,
    find: `SELECT number, ${columns} FROM ${sessions} WHERE app = $1 AND user_id = $2 AND session = $3 FOR UPDATE`,
    // One statement reads the whole session, so that all data is from the same point in time.
    load: `SELECT s.number, s.app, s.user_id, s.session, s.active_agent, s.version, s.saved_by, s.saved_records, s.updated_at,
        state.keys, state.values, said.entries, made.names, made.artifacts
      FROM ${sessions} AS s
      CROSS JOIN LATERAL (SELECT array_agg(key ORDER BY key) AS keys, array_agg(value ORDER BY key) AS values FROM ${state} AS state
        WHERE state.app = s.app AND ((state.user_id = '' AND state.session = '')
          OR (state.user_id = s.user_id AND state.session IN ('', s.session)))) AS state
      CROSS JOIN LATERAL (SELECT array_agg(entry ORDER BY position) AS entries FROM ${history} AS said WHERE said.session = s.number) AS said
      CROSS JOIN LATERAL (SELECT array_agg(name ORDER BY name) AS names, array_agg(value ORDER BY name) AS artifacts FROM ${artifacts} AS made
        WHERE made.session = s.number) AS made
      WHERE s.app = $1 AND s.user_id = $2 AND s.session = $3`,
    list: `SELECT number, ${columns} FROM ${sessions} WHERE app = $1 ORDER BY updated_at DESC`,
    listOfUser: `SELECT number, ${columns} FROM ${sessions} WHERE app = $1 AND user_id = $2 ORDER BY updated_at DESC`,
    setState: `INSERT INTO ${state} SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
      ON CONFLICT (app, user_id, session, key) DO UPDATE SET value = excluded.value`,
    removeState: `DELETE FROM ${state} WHERE app = $1 AND (user_id, session, key) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))`,
    cutHistory: `DELETE FROM ${history} WHERE session = $1 AND position >= $2`,
    addHistory: `INSERT INTO ${history} SELECT $1, $2 + n - 1, entry FROM unnest($3::text[]) WITH ORDINALITY AS added (entry, n)`,
    setArtifacts: `INSERT INTO ${artifacts} SELECT $1, * FROM unnest($2::text[], $3::text[])
      ON CONFLICT (session, name) DO UPDATE SET value = excluded.value`,
    update: `UPDATE ${sessions} SET active_agent = $2, version = version + 1, saved_by = $3, saved_records = $4, updated_at = $5 WHERE number = $1`,
    remove: `DELETE FROM ${sessions} WHERE app = $1 AND user_id = $2 AND session = $3`,
    ofUser: `SELECT number, ${columns} FROM ${sessions} WHERE user_id = $1 AND ($2::text IS NULL OR app = $2)`,
    removeOfUser: `DELETE FROM ${sessions} WHERE user_id = $1 AND ($2::text IS NULL OR app = $2) RETURNING number, ${columns}`,
    sharedOfUser: `SELECT count(*) AS keys FROM ${state} WHERE user_id = $1 AND session = '' AND ($2::text IS NULL OR app = $2)`,
    removeStateOfUser: `DELETE FROM ${state} WHERE user_id = $1 AND ($2::text IS NULL OR app = $2)`,
    removeOwnState: `DELETE FROM ${state} WHERE app = $1 AND user_id = $2 AND session = $3`,
  }) as const
