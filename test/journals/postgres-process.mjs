// A process that owns a run in PostgreSQL until it is killed.
import { compileOrThrow } from "../../dist/index.js"
import { postgresJournal } from "../../dist/adapters/journal/postgres/index.js"

const [url, schema] = process.argv.slice(2)
const chart = compileOrThrow({
  rootAgentId: "a",
  agents: [{ id: "a", type: "LlmAgent", model: "m", instructions: "Answer." }],
})
const journal = postgresJournal(url, { schema })
await journal.create({ format: 1, runId: "r", chart, input: { prompt: null, state: {} }, at: 1 })
await Promise.all([journal.append("r", [0, true, {}, 2]), journal.append("r", [1, true, {}, 2])])
console.log("stored")
setInterval(() => {}, 1000)
