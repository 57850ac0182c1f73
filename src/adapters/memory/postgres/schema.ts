import { quoted } from "../../postgres/prepare-tables.js"

/**
 * Names of the tables and of the index of a memory service in one PostgreSQL schema, quoted for
 * SQL.
 */
export interface MemoryTables {
  readonly format: string
  readonly messages: string
  readonly index: string
}

/**
 * Returns the names of the tables and of the index of a memory service in a PostgreSQL schema,
 * quoted for SQL.
 */
export function memoryTablesIn(schema: string): MemoryTables {
  const name = quoted(schema)
  return {
    format: `${name}.memory_format`,
    messages: `${name}.memory_messages`,
    index: quoted("memory_messages_words"),
  }
}

/**
 * Version of the format of the memory service's tables. Tables with another version are rejected.
 */
export const memoryFormatVersion = 1

/**
 * Returns SQL that creates the tables of a memory service. Strings are stored as JSON, because
 * strings in PostgreSQL cannot contain U+0000.
 *
 * The column `words` contains the words of the message, and one word that identifies the user.
 * Every search includes this word, so the index only returns messages of one user. PostgreSQL
 * statistics of the column are turned off, because they would contain words of messages, even after
 * the messages were deleted.
 */
export const createMemoryTables = ({ messages, index }: MemoryTables): string => `
  CREATE TABLE IF NOT EXISTS ${messages} (
    app text NOT NULL, user_id text NOT NULL, session text NOT NULL, event text NOT NULL,
    author text NOT NULL, role text, content text NOT NULL, at bigint NOT NULL, words tsvector NOT NULL,
    PRIMARY KEY (app, user_id, session, event)
  );
  CREATE INDEX IF NOT EXISTS ${index} ON ${messages} USING gin (words);
  ALTER TABLE ${messages} ALTER COLUMN words SET STATISTICS 0;
`

/**
 * SQL for the indexed word that identifies a user. The word contains `#`, so it cannot equal a word
 * of a message.
 */
const ownerWord = "'user#' || md5($1::text || ' ' || $2::text)"

/** Returns the SQL statements with which a memory service stores, finds and deletes messages. */
export const statementsFor = ({ messages }: MemoryTables) =>
  ({
    put: `INSERT INTO ${messages} AS stored (app, user_id, session, event, author, role, content, at, words)
      SELECT $1, $2, $3, event, author, role, content, at, to_tsvector('simple', indexed) || array_to_tsvector(ARRAY[${ownerWord}])
      FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[]) AS added (event, author, role, content, at, indexed)
      ON CONFLICT (app, user_id, session, event) DO UPDATE
        SET author = excluded.author, role = excluded.role, content = excluded.content, at = excluded.at, words = excluded.words
        WHERE stored.content <> excluded.content OR stored.author <> excluded.author`,
    keepOnly: `DELETE FROM ${messages} WHERE app = $1 AND user_id = $2 AND session = $3 AND event <> ALL ($4::text[])`,
    // The words of the query contain only letters, marks and digits, so every "&" in its text is an
    // operator and can be replaced.
    search: `SELECT author, role, content, at FROM ${messages}
      CROSS JOIN (SELECT replace(plainto_tsquery('simple', $3)::text, '&', '|')::tsquery AS wanted) AS query
      WHERE numnode(wanted) > 0 AND words @@ (quote_literal(${ownerWord})::tsquery && wanted)
        AND app = $1 AND user_id = $2 AND session <> $4
      ORDER BY ts_rank(words, wanted) DESC, at, event LIMIT $5`,
    countOfUser: `SELECT count(*) AS messages FROM ${messages} WHERE user_id = $1 AND ($2::text IS NULL OR app = $2)`,
    removeOfUser: `DELETE FROM ${messages} WHERE user_id = $1 AND ($2::text IS NULL OR app = $2)`,
  }) as const

/** A message in the result of a search, as a database row. The texts are JSON. */
export interface MemoryMessageRow {
  readonly author: string
  readonly role: string | null
  readonly content: string
  readonly at: string
}
