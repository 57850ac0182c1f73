import { lockIsHeldSql } from "../../postgres/advisory-locks.js"
import { quoted } from "../../postgres/prepare-tables.js"

/**
 * SQL statements for limits of model calls that several processes share in one PostgreSQL schema.
 * All times are read from the clock of the database.
 */
export interface LimitStatements {
  readonly format: string
  readonly create: string
  readonly tables: readonly string[]
  /**
   * SQL for calls of the model `$1` that have ended. Deletes the calls with the numbers `$2` from
   * the running calls. Adds the tokens of these calls `$3` to the model's token usage in the
   * current second.
   */
  readonly end: string
  /**
   * SQL for a response of the model `$1`. Stores the number of its tokens `$2`, and pauses all
   * calls of this model for `$3` milliseconds.
   */
  readonly remember: string
  /**
   * SQL that admits a call if the limits `$3` to `$5` of the model `$1` allow it. `$2` is the key
   * of the advisory lock of the calling process.
   */
  readonly admit: string
}

/** SQL for the current time of the database in milliseconds since the epoch. */
const nowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

const second = `(${nowMs} / 1000)`

/**
 * Returns the SQL statements for the rate limits of models in a PostgreSQL schema. Each running
 * call is a row of `model_calls`, with the key of the advisory lock of its process. Calls and
 * tokens of the last minute are counted per second. Therefore the check before a call reads at most
 * 61 rows.
 */
export function limitStatements(schema: string): LimitStatements {
  const name = quoted(schema)
  const [calls, usage, models] = [
    `${name}.model_calls`,
    `${name}.model_usage`,
    `${name}.model_states`,
  ]
  return {
    format: `${name}.model_limits_format`,
    tables: [calls, usage, models],
    create: `
      CREATE TABLE IF NOT EXISTS ${calls} (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, model text NOT NULL, owner bigint NOT NULL
      );
      CREATE INDEX IF NOT EXISTS model_calls_by_model ON ${calls} (model);
      CREATE TABLE IF NOT EXISTS ${usage} (
        model text NOT NULL, second bigint NOT NULL, requests bigint NOT NULL, tokens bigint NOT NULL, PRIMARY KEY (model, second)
      );
      CREATE TABLE IF NOT EXISTS ${models} (
        model text PRIMARY KEY, last_tokens bigint NOT NULL, paused_until bigint NOT NULL
      );`,
    end: `
      WITH ended AS (DELETE FROM ${calls} WHERE number = ANY ($2::bigint[]))
      INSERT INTO ${usage} AS usage SELECT $1, ${second}, 0, $3::bigint WHERE $3::bigint > 0
        ON CONFLICT (model, second) DO UPDATE SET tokens = usage.tokens + excluded.tokens`,
    remember: `
      INSERT INTO ${models} AS models VALUES ($1, coalesce($2::bigint, 0), ${nowMs} + coalesce($3::bigint, 0))
        ON CONFLICT (model) DO UPDATE SET last_tokens = coalesce($2::bigint, models.last_tokens),
          paused_until = greatest(models.paused_until, excluded.paused_until)`,
    admit: `
      WITH forgotten AS (
        DELETE FROM ${usage} WHERE model = $1 AND second < ${second} - 60
      ), lost AS (
        DELETE FROM ${calls} WHERE model = $1 AND NOT ${lockIsHeldSql("owner")}
      ), used AS (
        SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(tokens), 0) AS tokens,
            min(second) FILTER (WHERE requests > 0) AS first_request, min(second) FILTER (WHERE tokens > 0) AS first_tokens
          FROM ${usage} WHERE model = $1 AND second >= ${second} - 60
      ), running AS (
        SELECT count(*) AS calls FROM ${calls} WHERE model = $1 AND ${lockIsHeldSql("owner")}
      ), pause AS (
        SELECT coalesce(max(paused_until), 0) - ${nowMs} AS ms, coalesce(max(last_tokens), 0) AS last_tokens FROM ${models} WHERE model = $1
      ), decision AS (
        SELECT CASE
            WHEN pause.ms > 0 THEN 'Retry-After'
            WHEN running.calls >= $3::bigint THEN 'maxConcurrent'
            WHEN used.requests >= $4::bigint THEN 'requestsPerMinute'
            WHEN used.tokens + running.calls * pause.last_tokens >= $5::bigint THEN 'tokensPerMinute'
          END AS reached, used.first_request, used.first_tokens, pause.ms
          FROM used, running, pause
      ), started AS (
        INSERT INTO ${calls} (model, owner) SELECT $1, $2 FROM decision WHERE reached IS NULL RETURNING number
      ), counted AS (
        INSERT INTO ${usage} AS usage SELECT $1, ${second}, 1, 0 FROM started
          ON CONFLICT (model, second) DO UPDATE SET requests = usage.requests + 1
      )
      SELECT (SELECT number FROM started) AS number, reached, CASE reached
          WHEN 'Retry-After' THEN ms
          WHEN 'requestsPerMinute' THEN (first_request + 61) * 1000 - ${nowMs}
          WHEN 'tokensPerMinute' THEN (first_tokens + 61) * 1000 - ${nowMs}
        END AS delay
        FROM decision`,
  }
}
