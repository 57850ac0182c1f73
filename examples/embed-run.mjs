// Runs the support agent inside a program of your own: compile, run, listen, read the result.
import { readFile } from "node:fs/promises"
import { compile } from "agent-statecharts"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { startScriptedService } from "agent-statecharts/adapters/scripted"
import { createRunner } from "agent-statecharts/runtime"

const read = (name) => readFile(new URL(`support-agent/${name}`, import.meta.url), "utf8")
const { chart, diagnostics } = compile(await read("workflow.json"))
if (chart === null)
  throw new Error(diagnostics.map(({ message, fix }) => `${message} ${fix}`).join("\n"))

// Stands in for the agents and tools on the net; without `dispatcher` the URLs of the config are called.
const service = await startScriptedService(JSON.parse(await read("scenario.json")))
const http = createHttpServices({ dispatcher: service.dispatcher() })

const run = createRunner({ http }).start(chart)
run.events$.subscribe(({ seq, type, path }) =>
  console.log(String(seq).padStart(2), type.padEnd(16), path),
)
const { status, text } = await run.result
console.log(`${status}: ${text}`)

await http.close()
await service.close()
