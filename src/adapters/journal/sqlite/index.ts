export { sqliteJournal } from "./sqlite-journal.js"
export type { SqliteJournal, SqliteJournalOptions } from "./sqlite-journal.js"
export type { JournalWarning } from "../journal-warning.js"
export type { FileJournal, RunCheck } from "../run-check.js"
