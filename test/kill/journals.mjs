import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"

export const journals = {
  jsonl: (place) => jsonlJournal(place),
  sqlite: (place) => sqliteJournal(`${place}.sqlite`),
}
