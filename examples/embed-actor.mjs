// Embeds a chart as a plain XState machine: one actor, its snapshot, and a person who approves and rejects.
import { readFile } from "node:fs/promises"
import { compile } from "agent-statecharts"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { startScriptedService } from "agent-statecharts/adapters/scripted"
import { controlActor, toMachine } from "agent-statecharts/runtime"
import { createActor } from "xstate"

const read = async (name) =>
  JSON.parse(await readFile(new URL(`human-approval/${name}`, import.meta.url), "utf8"))
const { chart } = compile(await read("workflow.json"))
const service = await startScriptedService(await read("scenario.json"))
const http = createHttpServices({ dispatcher: service.dispatcher() })

const actor = createActor(toMachine(chart, { http }), { input: { runId: "friday-payments" } })
const run = controlActor(actor)
actor.subscribe(({ value }) => console.log("in", JSON.stringify(value)))
actor.start()

for (const decide of [
  ({ id, toolCalls: [call] }) => run.approve(id, { args: { ...call.args, amount: 1840 } }),
  ({ id }) => run.reject(id, "The bank account changed by e-mail. Call them first."),
]) {
  await run.whenSettled()
  const [request] = run.pending()
  console.log("asks:", request.prompt)
  decide(request)
}
const { status, text } = await run.result
console.log(`${status}: ${text}`)

await http.close()
await service.close()
