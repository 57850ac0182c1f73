export { postgresJournal } from "./postgres-journal.js"
export type { PostgresJournal, PostgresJournalOptions } from "./postgres-journal.js"
