// ADK's first agent: a tool with a zod schema. And its sister, which has no tool and answers with data.
// Run it: node examples/adk/capital-agent.mjs
import {
  FunctionTool,
  InMemoryRunner,
  isFinalResponse,
  LlmAgent,
  stringifyContent,
} from "agent-statecharts/adk" // was: "@google/adk"
import * as z from "zod"

const capitals = { canada: "Ottawa", kenya: "Nairobi", uruguay: "Montevideo" }

const getCapitalCity = new FunctionTool({
  name: "get_capital_city",
  description: "Gives the capital of a country.",
  parameters: z.object({ country: z.string().describe("Name of the country, in English.") }),
  execute: ({ country }) =>
    capitals[country.toLowerCase()] ?? `there is no country called ${country} in the list`,
})

const withTool = new LlmAgent({
  name: "capital_agent",
  model: "gemini-2.5-flash",
  description: "Answers questions about capitals.",
  instruction: "Look every capital up with get_capital_city.",
  tools: [getCapitalCity],
  outputKey: "last_answer",
})

const withSchema = new LlmAgent({
  name: "capital_facts_agent",
  model: "gemini-2.5-flash",
  description: "Gives facts about the capital of a country.",
  instruction: "You are given a country as JSON. Answer with a JSON object.",
  inputSchema: z.object({ country: z.string() }),
  outputSchema: z.object({ capital: z.string(), populationEstimate: z.number().int() }),
  outputKey: "capital_facts",
})

// Stands in for the model: it asks the tool, then says what the tool said.
const flash = {
  async call({ agent, messages }) {
    if (agent === "capital_facts_agent")
      return { content: '{"capital":"Montevideo","populationEstimate":1300000}' }
    const last = messages.at(-1)
    if (last.role === "tool")
      return { content: `It is ${last.content[0].function_response.response.result}.` }
    return {
      toolCalls: [{ function_name: "get_capital_city", function_args: { country: "Kenya" } }],
    }
  },
}

async function ask(agent, text) {
  const runner = new InMemoryRunner({
    agent,
    appName: "geography",
    models: { "gemini-2.5-flash": flash },
  })
  const { id } = await runner.sessionService.createSession({ appName: "geography", userId: "ada" })
  for await (const event of runner.runAsync({
    userId: "ada",
    sessionId: id,
    newMessage: { role: "user", parts: [{ text }] },
  })) {
    if (isFinalResponse(event)) console.log(`${event.author}: ${stringifyContent(event)}`)
  }
  const session = await runner.sessionService.getSession({
    appName: "geography",
    userId: "ada",
    sessionId: id,
  })
  console.log(JSON.stringify(session.state[agent.outputKey]))
}

await ask(withTool, "What is the capital of Kenya?")
await ask(withSchema, '{"country": "Uruguay"}')
