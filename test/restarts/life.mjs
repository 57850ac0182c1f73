// One life of a vector's run: takes the run up if the journal has it, and does what the parent says until it is killed.
import { compile } from "agent-statecharts"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { createRunner } from "agent-statecharts/runtime"
import { Agent, buildConnector } from "undici"
import { withServices } from "../conformance/stand-ins.mjs"
import { journals } from "../kill/journals.mjs"

/** Leads every origin to the scripted service of the parent. */
function everythingTo(servicePort) {
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

const [kind, place, port, written] = process.argv.slice(2)
const vector = JSON.parse(written)
const hostLog = { push: (entry) => process.send({ logged: entry }) }
const { config, services } = withServices(vector, hostLog)
const { chart } = compile(config, { dialect: vector.dialect })
const http = createHttpServices({ dispatcher: everythingTo(port) })
const telling = (service) => ({
  call(request, options) {
    process.send({
      asked: request.idempotencyKey,
      model: request.model,
      arguments: request.arguments,
    })
    return service.call(request, options)
  },
})
const [model, tool] = [telling(http.model), telling(http.tool)]
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

const journal = journals[kind](place)
const runner = createRunner({ http: { model, tool }, models, services, journal })
const run =
  (await journal.load("run1")) === null
    ? runner.start(chart, { runId: "run1" })
    : await runner.resume("run1")
run.events$.subscribe((event) => process.send({ event }))

const give = {
  approve: (id, { args }) => run.approve(id, args && { args }),
  reject: (id, { reason }) => run.reject(id, reason),
  answer: (id, { answer }) => run.answer(id, answer),
  user: (id, { user }) => run.say(user, { request: id }),
  deliver: (_, { deliver, result }) => run.deliver(deliver, result),
}

process.on("message", async ({ input }) => {
  if (input !== undefined) {
    const [name] = Object.keys(give).filter((each) => Object.hasOwn(input, each))
    give[name](run.pending()[0].id, input)
  }
  await run.whenSettled()
  process.send({ rests: { ...run.snapshot(), pending: run.pending() } })
})
process.send({ begun: true })
