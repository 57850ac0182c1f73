import { HttpAgent } from "@ag-ui/client"

/** The tools of this page: their declarations for the model, and the functions that execute them. */
const tools = {
  set_color: {
    description: "Sets the background color of the page.",
    parameters: {
      type: "object",
      properties: { color: { type: "string", description: "A CSS color." } },
      required: ["color"],
    },
    execute: ({ color }) => {
      document.body.style.backgroundColor = color
      return { backgroundColor: getComputedStyle(document.body).backgroundColor }
    },
  },
}

const declarations = Object.entries(tools).map(([name, { description, parameters }]) => ({
  name,
  description,
  parameters,
}))

const { token = "" } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
const agent = new HttpAgent({
  url: "/ag-ui/adk-page-tools",
  headers: { authorization: `Bearer ${token}` },
})

/** Runs the agent until it calls no more tools of this page. */
async function runAgent() {
  for (;;) {
    await agent.runAgent({ tools: declarations })
    const answered = new Set(agent.messages.map(({ toolCallId }) => toolCallId))
    const open = agent.messages
      .flatMap(({ toolCalls = [] }) => toolCalls)
      .filter(({ id, function: { name } }) => !answered.has(id) && name in tools)
    if (open.length === 0) return
    for (const { id, function: call } of open)
      agent.addMessage({
        id: crypto.randomUUID(),
        role: "tool",
        toolCallId: id,
        content: JSON.stringify(tools[call.name].execute(JSON.parse(call.arguments))),
      })
  }
}

document.querySelector("#send").addEventListener("click", async ({ target }) => {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content: target.textContent })
  await runAgent()
  document.querySelector("#answer").textContent = agent.messages
    .filter(({ role, content }) => role === "assistant" && content)
    .at(-1).content
})
