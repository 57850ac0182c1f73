// A process that tries to acquire a run and then reads commands from stdin: `append` stores a record.
import { createInterface } from "node:readline"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"

const [kind, place, host, leaseMs] = process.argv.slice(2)
const options = {
  ...(host === undefined ? {} : { host }),
  ...(leaseMs === undefined ? {} : { leaseMs: Number(leaseMs) }),
}
const journal = kind === "JSONL" ? jsonlJournal(place, options) : sqliteJournal(place, options)
const say = async (act, done) => {
  try {
    await act()
    console.log(done)
  } catch (error) {
    console.log(error.code ?? error)
  }
}

await say(() => journal.acquire("r"), "owned")
for await (const line of createInterface({ input: process.stdin }))
  if (line === "append") await say(() => journal.append("r", [0, true, "late", 1]), "stored")
