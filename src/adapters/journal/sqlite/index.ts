export { sqliteJournal } from "./sqlite-journal.js"
export type { SqliteJournal, SqliteJournalOptions } from "./sqlite-journal.js"
