// ADK's runner loop: two messages in one session, a third in another one, and what the agent keeps about the user in both.
// Run it: node examples/adk/sessions.mjs
import {
  FunctionTool,
  InMemoryRunner,
  isFinalResponse,
  LlmAgent,
  stringifyContent,
} from "agent-statecharts/adk"
import * as z from "zod"

const noteDiet = new FunctionTool({
  name: "note_diet",
  description: "Keeps what a guest does not eat.",
  parameters: z.object({ without: z.string() }),
  // A key that begins with user: is shared by all sessions of the user.
  execute({ without }, { state }) {
    state.set("user:diet", `without ${without}`)
    return "noted"
  },
})

const waiter = new LlmAgent({
  name: "waiter",
  model: "gemini-2.5-flash",
  instruction: "You are a waiter. What is known about the guest: {user:diet?}",
  tools: [noteDiet],
})

// Stands in for the model: it notes nuts when it hears of them, and otherwise says what it was told and which message that is.
const scripted = {
  async call({ messages }) {
    const said = messages.filter(({ role }) => role === "user")
    const last = messages.at(-1)
    if (last.role === "tool") return { content: "I shall remember that." }
    if (last.content.includes("nuts"))
      return { toolCalls: [{ function_name: "note_diet", function_args: { without: "nuts" } }] }
    const known = messages[0].content.split(": ")[1]
    return {
      content: `The soup then, ${known === "" ? "with everything" : known}. (message ${said.length} of this session)`,
    }
  },
}

const appName = "restaurant"
const userId = "ada"
const runner = new InMemoryRunner({
  agent: waiter,
  appName,
  models: { "gemini-2.5-flash": scripted },
})

async function say(sessionId, text) {
  console.log(`ada: ${text}`)
  for await (const event of runner.runAsync({
    userId,
    sessionId,
    newMessage: { role: "user", parts: [{ text }] },
  })) {
    if (isFinalResponse(event)) console.log(`${event.author}: ${stringifyContent(event)}`)
  }
}

const monday = await runner.sessionService.createSession({ appName, userId })
await say(monday.id, "I cannot eat nuts.")
await say(monday.id, "What do you recommend?")

const friday = await runner.sessionService.createSession({ appName, userId })
await say(friday.id, "Good evening, the soup please.")
