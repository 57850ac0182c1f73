// Wrote the files beside it, with the last version without checksums: node write.mjs FOLDER
import { createRunner } from "agent-statecharts/runtime"
import { compile } from "agent-statecharts"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
const { chart } = compile({
  dialect: "adk",
  rootAgentId: "line",
  agents: [
    {
      type: "SequentialAgent",
      id: "line",
      subAgents: [{ agentId: "writer" }, { agentId: "boss" }, { agentId: "clerk" }],
    },
    { type: "LlmAgent", id: "writer", model: "muse", outputKey: "draft" },
    { type: "HumanAgent", id: "boss", prompt: "Pay 1000?" },
    { type: "LlmAgent", id: "clerk", model: "muse" },
  ],
})
const models = { muse: { call: async () => ({ content: "pay 1000 to ä€😀" }) } }
const folder = process.argv[2]
for (const journal of [jsonlJournal(folder + "/jsonl"), sqliteJournal(folder + "/runs.sqlite")]) {
  const runner = createRunner({ models, journal })
  await runner.start(chart, { runId: "waiting", prompt: "Go." }).whenSettled()
  const done = runner.start(chart, { runId: "completed", prompt: "Go." })
  await done.whenSettled()
  done.answer(done.pending()[0].id, "yes")
  await done.result
  await runner.close()
  const stored = await journal.load("waiting")
  await journal.create({ ...stored.header, runId: "interrupted" })
  for (const record of stored.records) await journal.append("interrupted", record)
  await journal.release("interrupted")
  journal.close?.()
}
