export { jsonlJournal } from "./jsonl-journal.js"
export type { JournalWarning, JsonlJournalOptions } from "./jsonl-journal.js"
