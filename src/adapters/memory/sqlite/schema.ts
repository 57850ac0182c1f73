/**
 * SQL that creates the tables of a memory service in SQLite. Ids and texts of messages are stored
 * as JSON, because strings in SQLite cannot contain U+0000 or unpaired surrogates.
 *
 * `memory_words` is a full-text index without a copy of the texts. Its column `owner` contains one
 * word for each user, such as `u12`. A search always contains this word, so it only reads the
 * messages of one user.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS memory_users (
    number INTEGER PRIMARY KEY, app TEXT NOT NULL, user TEXT NOT NULL, UNIQUE (app, user)
  );
  CREATE TABLE IF NOT EXISTS memory_messages (
    number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL,
    author TEXT NOT NULL, role TEXT, content TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (owner, session, event)
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS memory_words USING fts5(
    owner, content, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
`

const message = `CAST(m.author AS BLOB) AS author, CAST(m.role AS BLOB) AS role,
  CAST(m.content AS BLOB) AS content, CAST(m.at AS INTEGER) AS at`

export const statements = {
  findUser: "SELECT CAST(number AS INTEGER) AS number FROM memory_users WHERE app = ? AND user = ?",
  addUser: "INSERT INTO memory_users (app, user) VALUES (?, ?)",
  usersOfAllApps:
    "SELECT CAST(number AS INTEGER) AS number, CAST(app AS BLOB) AS app FROM memory_users WHERE user = ?",
  removeUser: "DELETE FROM memory_users WHERE number = ?",
  findMessage: `SELECT CAST(m.number AS INTEGER) AS number, ${message} FROM memory_messages AS m WHERE owner = ? AND session = ? AND event = ?`,
  eventsOfSession:
    "SELECT CAST(number AS INTEGER) AS number, CAST(event AS BLOB) AS event FROM memory_messages WHERE owner = ? AND session = ?",
  messagesOfUser: "SELECT CAST(number AS INTEGER) AS number FROM memory_messages WHERE owner = ?",
  addMessage:
    "INSERT INTO memory_messages (owner, session, event, author, role, content, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  removeMessage: "DELETE FROM memory_messages WHERE number = ?",
  addWords: "INSERT INTO memory_words (rowid, owner, content) VALUES (?, ?, ?)",
  removeWords: "DELETE FROM memory_words WHERE rowid = ?",
  // The weight 0.0 excludes the column `owner` from the rank, which only determines the order.
  search: `SELECT ${message} FROM memory_words JOIN memory_messages AS m ON m.number = memory_words.rowid
    WHERE memory_words MATCH ? AND m.owner = ? AND m.session <> ?
    ORDER BY bm25(memory_words, 0.0, 1.0), m.number LIMIT ?`,
  // Merges the index into one part, which does not contain words of deleted messages.
  mergeWords: "INSERT INTO memory_words (memory_words) VALUES ('optimize')",
} as const

/**
 * A message in the result of a search, as a database row. Columns of type `unknown` contain
 * strings. They are read as bytes, which `storedText` decodes.
 */
export interface MessageRow {
  readonly author: unknown
  readonly role: unknown
  readonly content: unknown
  readonly at: number
}
