import { createHash } from "node:crypto"
import type { QueryResultRow } from "pg"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { StoredRun, StoredRunStatus } from "../../../runtime/journal/journal.js"
import { callerOf, startedAtOf } from "../../../runtime/journal/journal.js"
import type { Tables } from "./schema.js"
import type { LockedRun } from "./write-queue.js"

type Query = <Row extends QueryResultRow>(
  sql: string,
  values: readonly unknown[],
) => Promise<readonly Row[]>

const text = (value: unknown): string => JSON.stringify(value)

const hashOf = (chart: string): string => createHash("sha256").update(chart).digest("base64url")

/** JSON text and hash of each chart. They are computed only once for a chart object. */
const knownCharts = new WeakMap<AgentChart, { readonly json: string; readonly hash: string }>()

function chartText(chart: AgentChart): { readonly json: string; readonly hash: string } {
  const known = knownCharts.get(chart)
  if (known !== undefined) return known
  const json = text(chart)
  const made = { json, hash: hashOf(json) }
  knownCharts.set(chart, made)
  return made
}

/**
 * Returns the values of the SQL parameters $1 to $9, which the statements for inserting and for
 * replacing a run share.
 */
function valuesOf({ header, records }: StoredRun, status: StoredRunStatus): readonly unknown[] {
  const { chart, ...rest } = header
  const { json, hash } = chartText(chart)
  return [
    hash,
    json,
    text(chart.id),
    status.status,
    text(status.pending),
    status.status === "running" ? null : status.at,
    text(rest),
    records.map(text),
    status.wakeAt ?? null,
  ]
}

/**
 * Inserts a new run with its header and its records in one SQL statement. Returns the number under
 * which the run is stored, or null if a run with the same id exists.
 */
export async function insertRun(
  query: Query,
  { charts, runs, headers, records }: Tables,
  {
    run,
    status,
    owner,
  }: { readonly run: StoredRun; readonly status: StoredRunStatus; readonly owner: string },
): Promise<string | null> {
  const { header } = run
  const { calledBy } = callerOf(header)
  const [row] = await query<{ readonly number: string }>(
    `WITH chart AS (
       INSERT INTO ${charts} VALUES ($1, $2) ON CONFLICT DO NOTHING
     ), run AS (
       INSERT INTO ${runs} (id, chart, started_at, status, requests, settled_at, wake_at, caller, owner)
         VALUES ($10, $3, $11, $4, $5, $6, $9, $12, $13) ON CONFLICT (id) DO NOTHING RETURNING number
     ), header AS (
       INSERT INTO ${headers} SELECT number, $1, $7 FROM run
     ), added AS (
       INSERT INTO ${records} SELECT run.number, added.position - 1, added.record
         FROM run, unnest($8::text[]) WITH ORDINALITY AS added (record, position)
     )
     SELECT number FROM run`,
    [
      ...valuesOf(run, status),
      text(header.runId),
      startedAtOf(header),
      calledBy === undefined ? null : text(calledBy),
      owner,
    ],
  )
  return row?.number ?? null
}

/**
 * Replaces the header and the records of a stored run in one SQL statement. Returns false, and
 * changes nothing, if another process owns the run.
 */
export async function replaceRun(
  query: Query,
  { charts, runs, headers, records }: Tables,
  {
    run,
    status,
    locked,
  }: { readonly run: StoredRun; readonly status: StoredRunStatus; readonly locked: LockedRun },
): Promise<boolean> {
  const changed = await query(
    `WITH chart AS (
       INSERT INTO ${charts} VALUES ($1, $2) ON CONFLICT DO NOTHING
     ), run AS (
       UPDATE ${runs} SET chart = $3, status = $4, requests = $5, settled_at = $6, wake_at = $9
         WHERE number = $10 AND owner = $11 RETURNING number
     ), header AS (
       UPDATE ${headers} AS headers SET chart = $1, header = $7 FROM run WHERE headers.run = run.number
     ), stored AS (
       SELECT run.number AS run, stored.position - 1 AS position, stored.record
         FROM run, unnest($8::text[]) WITH ORDINALITY AS stored (record, position)
     ), changed AS (
       UPDATE ${records} AS records SET record = stored.record FROM stored
         WHERE records.run = stored.run AND records.position = stored.position AND records.record <> stored.record
     ), added AS (
       INSERT INTO ${records} SELECT run, position, record FROM stored WHERE position >= $12
     ), removed AS (
       DELETE FROM ${records} AS records USING run
         WHERE records.run = run.number AND records.position >= cardinality($8::text[])
     )
     SELECT number FROM run`,
    [...valuesOf(run, status), locked.number, locked.key, locked.records],
  )
  return changed.length > 0
}
