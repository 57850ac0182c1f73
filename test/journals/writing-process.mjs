// A process that starts or resumes a run of twenty calls with large responses, and prints the outcome.
import { compile } from "agent-statecharts"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
import { createRunner } from "agent-statecharts/runtime"

const [kind, place] = process.argv.slice(2)
const ids = Array.from({ length: 20 }, (_, n) => `a${n}`)
const agents = ids.map((id) => ({ type: "LlmAgent", id, model: "large" }))
const { chart } = compile({
  rootAgentId: "line",
  agents: [
    { type: "SequentialAgent", id: "line", subAgents: ids.map((agentId) => ({ agentId })) },
    ...agents,
  ],
})
const called = []
const large = {
  call: async ({ idempotencyKey }) => (
    called.push(idempotencyKey),
    { content: "x".repeat(20_000) }
  ),
}

async function play() {
  const journal = kind === "JSONL" ? jsonlJournal(place) : sqliteJournal(place)
  const runner = createRunner({ models: { large }, journal })
  const run =
    (await journal.load("r")) === null
      ? runner.start(chart, { runId: "r" })
      : await runner.resume("r")
  const { status, error } = await run.result
  return { status, error, stored: (await journal.load("r"))?.records.length ?? 0 }
}

const outcome = await play().catch(({ code, message }) => ({
  status: "failed",
  error: { code, message },
  stored: 0,
}))
console.log(JSON.stringify({ ...outcome, called }))
