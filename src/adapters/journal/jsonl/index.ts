export { jsonlJournal } from "./jsonl-journal.js"
export type { JsonlJournalOptions } from "./jsonl-journal.js"
export type { JournalWarning } from "../journal-warning.js"
export type { FileJournal, RunCheck } from "../run-check.js"
