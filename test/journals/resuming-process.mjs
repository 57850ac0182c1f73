// A process that tries to resume the run "r", executes it to its end, and prints its result.
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
