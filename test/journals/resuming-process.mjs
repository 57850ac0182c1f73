// A process that takes up the run "r", as far as it gets it, carries it to its end, and tells what came of it.
import { createHttpServices } from "agent-statecharts/adapters/http"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
import { createRunner } from "agent-statecharts/runtime"

const [kind, place] = process.argv.slice(2)
const runner = createRunner({
  http: createHttpServices(),
  journal: kind === "JSONL" ? jsonlJournal(place) : sqliteJournal(place),
})
try {
  const run = await runner.resume("r")
  console.log("resumed")
  const { status, text } = await run.result
  console.log(`${status}: ${text}`)
} catch (error) {
  console.log(error.code ?? error)
}
process.exit()
