import type { RunFilter } from "../../../runtime/journal/journal.js"
import { quoted } from "../../postgres/prepare-tables.js"

/** Names of the tables of a journal in one PostgreSQL schema, quoted for SQL. */
export interface Tables {
  readonly format: string
  readonly runs: string
  readonly headers: string
  readonly charts: string
  readonly records: string
  readonly owners: string
  readonly messages: string
}

/** Returns the names of the tables of a journal in a PostgreSQL schema, quoted for SQL. */
export function tablesIn(schema: string): Tables {
  const name = quoted(schema)
  return {
    format: `${name}.journal_format`,
    runs: `${name}.runs`,
    headers: `${name}.run_headers`,
    charts: `${name}.run_charts`,
    records: `${name}.run_records`,
    owners: `${name}.run_owners`,
    messages: `${name}.run_messages`,
  }
}

/** Version of the format of the journal's tables. Tables with another version are rejected. */
export const formatVersion = 1

/**
 * Returns SQL that creates the tables of a journal.
 *
 * Strings from users are stored as JSON, because strings in PostgreSQL cannot contain U+0000. The
 * chart is the largest part of a header, so equal charts are stored only once, by their hash.
 * `owner` is the key of the advisory lock that the owning process holds. The indexes of running and
 * waiting runs are used to find the runs that a server must resume.
 */
export const createTables = ({
  runs,
  headers,
  charts,
  records,
  owners,
  messages,
}: Tables): string => `
  CREATE TABLE IF NOT EXISTS ${owners} (key bigint PRIMARY KEY, owner text NOT NULL);
  CREATE TABLE IF NOT EXISTS ${runs} (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, chart text NOT NULL,
    started_at bigint NOT NULL, status text NOT NULL, requests text NOT NULL, settled_at bigint, caller text, owner bigint
  ) WITH (fillfactor = 80);
  ALTER TABLE ${runs} ADD COLUMN IF NOT EXISTS wake_at bigint;
  CREATE INDEX IF NOT EXISTS runs_running ON ${runs} (number) WHERE status = 'running';
  CREATE INDEX IF NOT EXISTS runs_by_wake_time ON ${runs} (wake_at) WHERE wake_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS ${charts} (hash text PRIMARY KEY, chart text NOT NULL);
  CREATE TABLE IF NOT EXISTS ${headers} (
    run bigint PRIMARY KEY REFERENCES ${runs} ON DELETE CASCADE, chart text NOT NULL REFERENCES ${charts}, header text NOT NULL
  );
  CREATE INDEX IF NOT EXISTS run_headers_by_chart ON ${headers} (chart);
  CREATE TABLE IF NOT EXISTS ${records} (
    run bigint NOT NULL REFERENCES ${runs} ON DELETE CASCADE, position integer NOT NULL, record text NOT NULL, PRIMARY KEY (run, position)
  );
  CREATE TABLE IF NOT EXISTS ${messages} (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run bigint NOT NULL REFERENCES ${runs} ON DELETE CASCADE,
    sender bigint NOT NULL, recipient bigint NOT NULL, message text NOT NULL, is_taken boolean NOT NULL DEFAULT false,
    result text, sent_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX IF NOT EXISTS run_messages_by_run ON ${messages} (run);
`

/** Converts a filter for the list of runs to an SQL condition and the values of its parameters. */
export function conditionOf({ status, resumableAt }: RunFilter): {
  readonly where: string
  readonly values: readonly unknown[]
} {
  const values: unknown[] = []
  const conditions = ["true"]
  if (status !== undefined) conditions.push(`runs.status = $${values.push(status)}`)
  if (resumableAt !== undefined)
    conditions.push(
      `owners.owner IS NULL AND (runs.status = 'running' OR runs.wake_at <= $${values.push(resumableAt)})`,
    )
  return { where: conditions.join(" AND "), values }
}

/**
 * Returns SQL for the name of the PostgreSQL channel on which a process receives notifications.
 * `column` is an SQL expression for the key of the process's advisory lock.
 */
export const channelOfOwner = (column: string): string => `'agent_statecharts_owner_' || ${column}`
