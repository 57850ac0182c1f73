// Orders a run, answers what it asks, waits for its end: the process in which your users are. It may end and come back at any time.
import { setTimeout as sleep } from "node:timers/promises"
import { compile } from "agent-statecharts"
import { restateClient } from "agent-statecharts/adapters/engine/restate"

const { chart } = compile({
  rootAgentId: "poem",
  agents: [
    {
      type: "SequentialAgent",
      id: "poem",
      subAgents: [{ agentId: "poet" }, { agentId: "editor" }],
    },
    { type: "LlmAgent", id: "poet", model: "writer", outputKey: "draft" },
    { type: "HumanAgent", id: "editor", prompt: "Is it good?", outputKey: "verdict" },
  ],
})

const runs = restateClient({ url: process.env.RESTATE_INGRESS ?? "http://127.0.0.1:8080" })
const runId = `poem-${process.pid}`
await runs.start(runId, { chart, prompt: "a statechart" })

/** A run that was ordered begins a moment later; until then it is not known. */
async function asked() {
  for (;;) {
    const status = await runs
      .status(runId)
      .catch((error) => (error.code === "run_unknown" ? null : Promise.reject(error)))
    if (status !== null && status.pending.length > 0) return status.pending[0]
    await sleep(50)
  }
}

const { id, prompt } = await asked()
console.log(`${prompt} ${(await runs.snapshot(runId)).state.draft}`)
await runs.give(runId, { type: "answer", id, value: "It is." })
const { status, state } = await runs.result(runId)
console.log(`${status}: ${state.verdict}`)
