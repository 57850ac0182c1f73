// One process of a vector's run. It starts the run, or resumes it if the journal has it, and follows the parent's instructions until it
// is killed.
import { compile } from "agent-statecharts"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { createRunner } from "agent-statecharts/runtime"
import { Agent, buildConnector } from "undici"
import { openRequest } from "../conformance/facts.mjs"
import { isPaired } from "../conformance/matchers.mjs"
import { withServices } from "../conformance/stand-ins.mjs"
import { journals } from "../kill/journals.mjs"

/** Returns a dispatcher that connects every origin to the scripted service of the parent. */
function connectAllTo(servicePort) {
  const connect = buildConnector({})
  return new Agent({
    connect: (_origin, callback) =>
      connect(
        {
          hostname: "127.0.0.1",
          host: `127.0.0.1:${servicePort}`,
          port: servicePort,
          protocol: "http:",
        },
        callback,
      ),
  })
}

const [kind, place, port, json] = process.argv.slice(2)
const vector = JSON.parse(json)
const hostLog = { push: (entry) => process.send({ logged: entry }) }
const { config, services } = withServices(vector, hostLog)
const { chart } = compile(config, { dialect: vector.dialect })
const http = createHttpServices({ dispatcher: connectAllTo(port) })
/** Reports each call to the parent before it is made. */
const reported = (service) => ({
  call(request, options) {
    process.send({
      asked: request.idempotencyKey,
      model: request.model,
      arguments: request.arguments,
    })
    return service.call(request, options)
  },
})
const [model, tool] = [reported(http.model), reported(http.tool)]
const posting = {
  call: (request, options) =>
    model.call(
      { ...request, endpoint: { url: `http://llm.test/${request.agent}`, method: "POST" } },
      options,
    ),
}
const models = Object.fromEntries(
  Object.values(chart.agents).map((agent) => [agent.model, posting]),
)

const actions = {
  approve: (run, id, { args }) => run.approve(id, args && { args }),
  reject: (run, id, { reason }) => run.reject(id, reason),
  answer: (run, id, { answer }) => run.answer(id, answer),
  user: (run, id, { user }) => run.say(user, { request: id }),
  deliver: (run, _, { deliver, result }) => run.deliver(deliver, result),
}

async function main() {
  const journal = journals[kind](place)
  const runner = createRunner({ http: { model, tool, node: http.node }, models, services, journal })
  const run =
    (await journal.load("run1")) === null
      ? runner.start(chart, { runId: "run1", context: vector.context })
      : await runner.resume("run1")
  run.events$.subscribe((event) => process.send({ event }))
  process.on("message", async ({ input }) => {
    if (input !== undefined) {
      const [name] = Object.keys(actions).filter((each) => Object.hasOwn(input, each))
      const request = run
        .pending()
        .find((open) => isPaired([input.on ?? {}], [openRequest(open)], { subset: true }))
      actions[name](run, request.id, input)
    }
    await run.whenSettled()
    process.send({ settled: { ...run.snapshot(), pending: run.pending() } })
  })
  process.send({ isReady: true })
}

void main()
