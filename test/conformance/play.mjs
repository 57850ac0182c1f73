import { setTimeout as sleep } from "node:timers/promises"
import { inspect } from "node:util"
import { AgentStatechartsError, compile } from "agent-statecharts"
import { createHttpServices, secretsFromObject } from "agent-statecharts/adapters/http"
import { startScriptedService } from "agent-statecharts/adapters/scripted"
import {
  controlActor,
  createRunner,
  memoryJournal,
  memorySessionStore,
  toMachine,
} from "agent-statecharts/runtime"
import { createActor } from "xstate"
import { judge } from "./compare.mjs"
import { isGraph, scenarioOf, webhookOf } from "./graph.mjs"
import { factsOf, openRequest, said } from "./facts.mjs"
import { isPaired } from "./matchers.mjs"
import { withServices } from "./stand-ins.mjs"

const [patienceMs, text] = [200_000, (value) => JSON.stringify(value)]
/** Every field that a vector, its options, sessions, inputs and starts may have. */
const known = `id title source dialect theme config llm tools http webhook context expect contested ruling secrets detectDialect artifacts services options session inputs
  node defaultModel maxResponseBytes allowTemplateHosts user app prompt state approve reject restart cancel end answer deliver start reason during on args as again result fails`
const unknownFields = (vector, { options, session, inputs = [] } = vector) =>
  [vector, options, session, ...inputs, ...inputs.map(({ start }) => start)]
    .flatMap((object = {}) => Object.keys(object))
    .filter((field) => !known.split(/\s+/).includes(field))
/** Whether a vector needs a journal or several runs, which an actor does not support. */
export const isForRunOnly = ({ inputs = [], expect, session }) =>
  Boolean(expect.sessions ?? session?.session ?? inputs.some((one) => one.restart || one.start))
/** Runs a vector and returns its failures. The list is empty if the vector passed. */
export async function tryVector(vector, interpreter, onJournal) {
  const [{ dialect, detectDialect, options: { node } = {} }, hostLog] = [vector, []]
  const { config, services } = withServices(vector, hostLog)
  const compiled = () =>
    compile(config, { ...(detectDialect ? {} : { dialect }), ...(node ? { node } : {}) })
  return tryCompiled({ ...vector, services }, compiled, interpreter, hostLog, {}, onJournal)
}
/** Like `tryVector`, with a custom compile function. `functions`: for each host function, the scripted tool that it calls. */
export async function tryCompiled(
  vector,
  compiled,
  interpreter,
  hostLog,
  functions = {},
  onJournal,
) {
  try {
    const { chart, diagnostics } = compiled()
    if (unknownFields(vector).length > 0)
      return [`the harness does not know ${unknownFields(vector)}`]
    const says = (isError) =>
      diagnostics.filter(({ severity }) => (severity === "error") === isError).map(said)
    const nothing = {
      problems: [],
      before: [],
      requests: [],
      facts: [],
      pending: [],
      unused: [],
      beyond: [],
      disclosed: {},
    }
    const played = chart
      ? await play({ ...vector, functions, onJournal }, chart, interpreter)
      : { ...nothing, status: "invalid", error: says(true).join("\n") }
    return judge(vector, { ...played, hostLog, warnings: says(false) })
  } catch (error) {
    return [inspect(error)]
  }
}

async function play(vector, chart, interpreter) {
  const service = await startScriptedService(scenarioOf(vector))
  const seen = {
    store: memorySessionStore(),
    problems: [],
    before: [],
    asked: new Map(),
    answered: {},
    events: new Map(),
    shown: [],
    keys: [],
  }
  let life
  try {
    life = await openLife(interpreter, vector, chart, service, seen)
    const late = sleep(patienceMs, null, { ref: false }).then(() =>
      Promise.reject(new Error(`not at rest in time: ${inspect(service.requests)}`)),
    )
    const inTime = (promise) => Promise.race([promise, late])
    for (const [index, input] of (vector.inputs ?? []).entries()) {
      await inTime(
        input.during ? untilDuring(input.during, seen, service) : life.controls.whenSettled(),
      )
      seen.before[index] = {
        status: life.controls.snapshot().status,
        pending: life.controls.pending(),
      }
      life = input.restart ? await life.restart() : (apply(input, life, seen) ?? life)
    }
    const result = await inTime(life.controls.whenSettled())
    await sleep(15) // a call that must not happen has time to happen
    life.look()
    const named = ({ kind, id, nth, headers }) => ({
      key: headers["idempotency-key"],
      name: `${kind === "llm" ? "" : `${kind}:`}${id}#${nth}`,
    })
    const requests = service.requests.map(
      (request, _, __, { key, name } = named(request), asked = seen.asked.get(key)) => ({
        ...request,
        key,
        name,
        model: asked?.model,
        args: request.body?.arguments ?? asked?.arguments,
      }),
    )
    const told = requests.map(({ body, args }) => [
      body?.messages,
      body?.state,
      args,
      body?.session_state,
    ])
    return {
      ...seen,
      ...result,
      sessions: Object.fromEntries(
        seen.keys.map((key) => [key.sessionId, seen.store.load(key)?.state]),
      ),
      error: result.error?.message,
      pending: life.controls.pending(),
      requests,
      facts: factsOf([...seen.events.values()]),
      unused: service.unused().filter(({ id }) => id !== webhookOf(vector)),
      webhook: webhookOf(vector),
      httpAtOnce: service.maxInFlight.http,
      beyond: service.exhausted,
      mostAtOnce: service.maxInFlight.llm,
      disclosed: {
        events: text([...seen.events.values()]),
        "journal and snapshots": seen.shown.join(),
        requests: text(told),
        chart: text(chart),
      },
    }
  } finally {
    await Promise.resolve(life?.end()).then(() => service.close())
  }
}
/** Starts the runtime as a new process does. A restart keeps only the text of the journal and the session store. */
async function openLife(interpreter, vector, chart, service, seen, stored) {
  const {
    options: { node: _, defaultModel, ...limits } = {},
    secrets = {},
    services: code,
    artifacts,
    context,
    session = {},
  } = vector
  const http = createHttpServices({
    secrets: secretsFromObject(secrets),
    dispatcher: service.dispatcher(),
    ...limits,
  })
  const [model, tool] = [http.model, http.tool].map((port) => ({
    call: (request, options) =>
      seen.asked.set(request.idempotencyKey, request) && port.call(request, options),
  }))
  // in the ADK dialect, the name of a model refers to a service that posts the request to the URL of the agent
  const posting = {
    call: (request, options) =>
      model.call(
        { ...request, endpoint: { url: `http://llm.test/${request.agent}`, method: "POST" } },
        options,
      ),
  }
  const names = Object.values(chart.agents).flatMap(({ model }) => model ?? [])
  const models = Object.fromEntries(names.concat(defaultModel ?? []).map((name) => [name, posting]))
  const asking = ([name, id]) => [
    name,
    ({ callId, path, runId, agent, state, signal }, args) =>
      tool.call(
        {
          tool: id,
          arguments: args,
          callId,
          runId,
          agent,
          idempotencyKey: `${runId}/${path}`,
          attempt: 1,
          context: {},
          grantedSecret: null,
          state: state.toObject(),
          endpoint: { url: `http://tools.test/${id}`, method: "POST" },
        },
        { signal },
      ),
  ]
  const services = {
    http: { model, tool, node: http.node },
    models,
    defaultModel,
    tools: {},
    services: { ...code, ...Object.fromEntries(Object.entries(vector.functions).map(asking)) },
  }
  const life = {
    end: () => {
      try {
        life.controls.cancel()
      } catch {
        /* the run has finished */
      }
      return http.close()
    },
  }
  const hear = (event) =>
    void seen.events.set(event.runId ? `${event.runId}#${event.seq}` : seen.events.size, event) // a resumed run emits its earlier events again
  const look = (stored) => () =>
    seen.shown.push(text([life.controls.snapshot(), life.controls.pending(), stored()]))
  if (interpreter === "actor") {
    const actor = createActor(toMachine(chart, { ...services, onEvent: hear }), {
      input: isGraph(vector) ? { runId: "run", context } : { runId: "run", artifacts, ...session },
    })
    return Object.assign(
      life,
      { controls: controlActor(actor), look: look(() => actor.getPersistedSnapshot()) },
      void actor.start(),
    )
  }
  const journal = memoryJournal(stored && JSON.parse(stored))
  vector.onJournal?.(journal)
  const runner = createRunner({ ...services, journal, sessions: seen.store })
  const follow = (run) => (run.events$.subscribe(hear), (life.controls = run))
  life.start = (
    { session: sessionId = "s1", user: userId = "u1", app: appName = "app", ...given },
    key = { appName, userId, sessionId },
  ) => follow(runner.start(chart, { ...given, runId: `run${seen.keys.push(key)}`, session: key }))
  life.restart = (kept = text(journal.toJSON())) => (
    life.end(),
    openLife(interpreter, vector, chart, service, seen, kept)
  )
  if (stored) follow(await runner.resume(`run${isGraph(vector) ? 1 : seen.keys.length}`))
  else if (isGraph(vector)) follow(runner.start(chart, { runId: "run1", context }))
  else life.start({ artifacts, ...session })
  return Object.assign(life, {
    look: look(() => [journal.toJSON(), seen.keys.map((key) => seen.store.load(key))]),
  })
}
/** Resolves as soon as the call of `during` is in flight and the tools in `finished` have finished. */
async function untilDuring(
  { node, agent, tool = agent, nth, finished = [] },
  { events },
  { requests },
  end = performance.now() + patienceMs,
) {
  const isInFlight = () =>
    requests.some(
      (one) =>
        one.kind === (node ? "http" : agent ? "llm" : "tool") &&
        one.id === (node ?? tool) &&
        one.nth === nth,
    )
  const isFinished = (name) =>
    [...events.values()].some((event) => event.type === "tool.finished" && event.tool === name)
  while (performance.now() < end && !(isInFlight() && finished.every(isFinished))) await sleep(2)
}

const actions = {
  user: (controls, { user, on, again }, id) =>
    controls.say(user, on || again ? { request: id() } : undefined),
  approve: (controls, { args }, id) => controls.approve(id(), args && { args }),
  reject: (controls, { reason }, id) => controls.reject(id(), reason),
  answer: (controls, { answer }, id) => controls.answer(id(), answer),
  deliver: (controls, { deliver, result }) => controls.deliver(deliver, result),
  start: (_, { start }, __, life) => life.start(start),
  end: (controls) => controls.end(),
  cancel: (controls) => controls.cancel(),
}

function apply(input, life, { answered, problems, shown }, { controls, look } = life) {
  const id = (
    open = controls
      .pending()
      .filter((request) => isPaired([input.on ?? {}], [openRequest(request)], { subset: true })),
  ) => {
    if (!input.again && open.length !== 1)
      throw new Error(`not one open request for ${text(input)}: ${text(controls.pending())}`)
    if (input.as) answered[input.as] = open[0].id
    return input.again ? answered[input.again] : open[0].id
  }
  const action = actions[Object.keys(actions).find((name) => Object.hasOwn(input, name))]
  if (!input.fails) return void action(controls, input, id, life)
  let refusal
  look()
  try {
    action(controls, input, id)
  } catch (error) {
    refusal = error
  }
  look()
  const isTyped =
    refusal instanceof AgentStatechartsError &&
    isPaired([{ $containsAllI: input.fails }], [refusal.message])
  if (!isTyped || shown.at(-1) !== shown.at(-2))
    problems.push(`${text(input)} had to be refused, typed and without effect: ${inspect(refusal)}`)
  shown.push(inspect(refusal, { depth: 9 }))
}
