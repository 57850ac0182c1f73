// A graph program for ADK 2, unchanged but for the import and the models: functions, an agent, a route and a question to a person.
// Run it: node examples/adk/leave-desk.mjs
import {
  createEvent,
  getUserInputRequests,
  InMemoryRunner,
  LlmAgent,
  node,
  RequestInput,
  START,
  Workflow,
} from "agent-statecharts/adk" // was: "@google/adk"
import * as z from "zod"

const wish = new LlmAgent({
  name: "wish",
  model: "gemini-2.5-flash",
  instruction: "Read the wish for leave. Answer with JSON.",
  outputSchema: z.object({ days: z.number(), reason: z.string() }),
  outputKey: "wish",
})
const sort = (_ctx, { days, reason }) =>
  createEvent({ output: { days, reason }, route: days > 2 ? "boss" : "short" })
const decision = z.object({ approved: z.boolean() })
const askBoss = node(
  (_ctx, { days, reason }) =>
    new RequestInput({
      interruptId: "leave",
      message: `${days} days for ${reason}?`,
      responseSchema: decision,
    }),
  { name: "ask_boss" },
)
const letter = (ctx, { approved }) => {
  const { days } = ctx.state.get("wish")
  return approved ? `${days} days are granted.` : `${days} days are refused.`
}
const short = () => "Short leave needs no approval."

export const rootAgent = new Workflow({
  name: "leave_desk",
  edges: [
    [START, wish, sort, { boss: askBoss, short }],
    [askBoss, letter],
  ],
})

// Stands in for the model.
const flash = { call: async () => ({ content: '{"days":5,"reason":"a wedding"}' }) }

const runner = new InMemoryRunner({
  agent: rootAgent,
  appName: "desk",
  models: { "gemini-2.5-flash": flash },
})
const { id: sessionId } = await runner.sessionService.createSession({
  appName: "desk",
  userId: "ada",
})
async function send(part) {
  const questions = []
  for await (const event of runner.runAsync({
    userId: "ada",
    sessionId,
    newMessage: { role: "user", parts: [part] },
  })) {
    if (event.output !== undefined) console.log(event.author, JSON.stringify(event.output))
    questions.push(...getUserInputRequests(event))
  }
  return questions
}

const [question] = await send({ text: "Five days for a wedding, please." })
console.log("question:", question.message)
await send({
  functionResponse: {
    id: question.interruptId,
    name: question.functionCallName,
    response: { approved: true },
  },
})
