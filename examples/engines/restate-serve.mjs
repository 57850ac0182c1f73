// Carries runs for Restate: the process that may be killed. docs/scaling.md says how Restate is started and told of it.
import { serve } from "@restatedev/restate-sdk"
import { restateWorkflow } from "agent-statecharts/adapters/engine/restate"

const writer = {
  async call({ messages }) {
    const { content } = messages.findLast(({ role }) => role === "user")
    return { content: `A poem about ${content}: boxes, arrows, and nobody lost.` }
  },
}

const port = Number(process.env.PORT ?? 9080)
await serve({ services: [restateWorkflow({ models: { writer } })], port })
