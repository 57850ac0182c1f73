// The process that is killed. It serves the workflow, and sends the checkpoints of each run to a URL when the run has ended.
import { serve } from "@restatedev/restate-sdk"
import { restateWorkflow } from "agent-statecharts/adapters/engine/restate"
import { createHttpServices } from "agent-statecharts/adapters/http"

const [port, told] = process.argv.slice(2)

function opened(run) {
  const checkpoints = []
  run.events$.subscribe((event) => {
    if (event.type === "checkpoint") checkpoints.push([event.path, event.completedSubAgents])
    if (event.type !== "run.finished") return
    void fetch(told, {
      method: "POST",
      body: JSON.stringify({ runId: run.runId, checkpoints }),
    }).catch(() => {})
  })
}

/** Responds with the number of user messages and the last user message. */
const echo = {
  async call({ messages }) {
    const said = messages.filter(({ role }) => role === "user").map(({ content }) => content)
    return { content: `${said.length}: ${said.at(-1)}` }
  },
}

const draw = (counter) => fetch(counter, { method: "POST" }).then((answer) => answer.text())

/** A host function with steps before and after a question. */
async function clerk({ step, ask, runAgent, state }) {
  const first = await step("draw", () => draw(state.get("counter")))
  const answer = await ask(`Number ${first}?`)
  const second = await step("draw again", () => draw(state.get("counter")))
  const { text } = await runAgent("listener")
  state.set("drawn", [first, answer, second, text])
}

// The inactivity timeout is two seconds instead of six minutes, so that a test can wait until a run is suspended.
await serve({
  port: Number(port),
  services: [
    restateWorkflow({
      http: createHttpServices(),
      models: { echo },
      services: { clerk },
      opened,
      workflow: { inactivityTimeout: 2_000 },
    }),
  ],
})
process.send?.("ready")
