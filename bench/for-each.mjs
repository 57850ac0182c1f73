// Measures a parallel block over a list, whose length is only known at run time, and its growth.
// With a folder that contains `@langchain/langgraph` and `@google/adk`, also measures LangGraph's
// `Send` and ADK's ParallelWorker with the same model. The implementations run alternately.
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { compile } from "agent-statecharts"
import { createRunner, memoryJournal } from "agent-statecharts/runtime"
import { exponent, measure, median, printTable } from "./measure.mjs"

/** A model without latency. */
const answer = async (item) => `done ${item}`

const { chart } = compile({
  dialect: "graph-compose",
  rootAgentId: "all",
  maxModelCalls: 1_000_000,
  agents: [
    {
      type: "ParallelAgent",
      id: "all",
      subAgents: [{ agentId: "worker" }],
      forEach: { items: "session_state['items']", collect: { results: "done" }, maxItems: 100_000 },
    },
    { type: "LlmAgent", id: "worker", model: "any", outputKey: "done", stateInPrompt: false },
  ],
})

const runner = createRunner({
  models: { any: { call: async ({ state }) => ({ content: await answer(state.item) }) } },
  journal: memoryJournal({}, { keepEnded: false }),
})

/** Runs the block with a memory journal and a subscriber to its events. */
async function forEach(items) {
  const run = runner.start(chart, { state: { items } })
  run.events$.subscribe(() => {})
  const { status, state, error } = await run.result
  if (status !== "completed") throw new Error(`${status}: ${error?.message}`)
  return state.results
}

const { chart: loopChart } = compile({
  nodes: [
    { id: "all", type: "forEach", forEach: { items: "{{ context.items }}" } },
    {
      id: "worker",
      type: "http",
      dependencies: ["all"],
      http: { method: "POST", url: "http://127.0.0.1/worker" },
    },
    { id: "end", type: "endForEach", forEachId: "all", dependencies: ["worker"] },
  ],
})

/** Evaluates the list of items and answers requests without HTTP. */
const node = {
  call: async ({ task, scope }) =>
    task.type === "fill"
      ? scope.context.items
      : { response: { data: await answer(scope.row.data), statusCode: 200, headers: {} } },
}
const unused = { call: () => Promise.reject(new Error("the graph has no agents")) }
const graphRunner = createRunner({
  http: { model: unused, tool: unused, node },
  journal: memoryJournal({}, { keepEnded: false }),
})

/** Runs a loop of a whole graph, whose body is one request. */
async function graphLoop(items) {
  const run = graphRunner.start(loopChart, { context: { items } })
  run.events$.subscribe(() => {})
  const { status, state, error } = await run.result
  if (status !== "completed") throw new Error(`${status}: ${error?.message}`)
  return state.results.all.data.items
}

/** LangGraph's map and reduce: one `Send` for each item, and a reducer that appends. */
async function langGraph(folder) {
  const { Annotation, END, Send, START, StateGraph } = await importFrom(
    folder,
    "@langchain/langgraph",
  )
  const State = Annotation.Root({
    items: Annotation(),
    results: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
  })
  const graph = new StateGraph(State)
    .addNode("worker", async ({ item }) => ({ results: [await answer(item)] }))
    .addConditionalEdges(START, ({ items }) => items.map((item) => new Send("worker", { item })))
    .addEdge("worker", END)
    .compile()
  return async (items) => (await graph.invoke({ items })).results
}

/** ADK's ParallelWorker around a function, without a limit of items at a time. */
async function adkWorker(folder) {
  const { InMemoryRunner, LogLevel, ParallelWorker, START, Workflow, node, setLogLevel } =
    await importFrom(folder, "@google/adk")
  setLogLevel(LogLevel.ERROR)
  const list = (_context, text) => Array.from({ length: Number(text) }, (_, index) => String(index))
  const work = (_context, item) => answer(item)
  const worker = new ParallelWorker(node(work), { maxParallelWorkers: Infinity })
  const agent = new Workflow({ name: "all", edges: [[START, list, worker]] })
  return async (items) => {
    const runner = new InMemoryRunner({ agent, appName: "bench" })
    const session = await runner.sessionService.createSession({ appName: "bench", userId: "u" })
    const newMessage = { role: "user", parts: [{ text: String(items.length) }] }
    let output = []
    for await (const event of runner.runAsync({ userId: "u", sessionId: session.id, newMessage }))
      if (Array.isArray(event.output)) output = event.output
    return output
  }
}

const importFrom = (folder, name) =>
  import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href)

/** Returns CPU microseconds for each item, by implementation and number of items. */
async function costs(implementations, sizes, rounds) {
  const measured = new Map()
  for (const [name, { most }] of implementations)
    for (const size of sizes.filter((one) => one <= most)) measured.set(`${name} ${size}`, [])
  for (let round = 0; round < rounds + 2; round++) {
    for (const size of sizes) {
      for (const [name, { run, most }] of implementations) {
        if (size > most) continue
        const items = Array.from({ length: size }, (_, index) => index)
        const { cpu, value } = await measure(() => run(items))
        if (value.length !== size) throw new Error(`${name}: ${value.length} results`)
        // The first two rounds are a warm-up.
        if (round >= 2) measured.get(`${name} ${size}`).push((cpu * 1000) / size)
      }
    }
  }
  return (name, size) => median(measured.get(`${name} ${size}`) ?? [NaN])
}

export async function forEachCost({ folder = null, rounds = 9 }) {
  const sizes = [1_000, 3_000, 10_000]
  const implementations = new Map([
    ["agent-statecharts", { run: forEach, most: 10_000 }],
    ["agent-statecharts, loop of a graph", { run: graphLoop, most: 10_000 }],
  ])
  if (folder !== null) {
    implementations.set("LangGraph Send", { run: await langGraph(folder), most: 3_000 })
    implementations.set("ADK ParallelWorker", { run: await adkWorker(folder), most: 3_000 })
  }
  const cost = await costs(implementations, sizes, rounds)
  printTable(
    "A block over a list, CPU per item, µs",
    ["", ...sizes.map((size) => size.toLocaleString("en")), "k"],
    [...implementations].map(([name, { most }]) => {
      const measured = sizes.filter((size) => size <= most)
      return [
        name,
        ...sizes.map((size) => (size <= most ? cost(name, size) : "–")),
        exponent(measured.map((size) => [size, size * cost(name, size)])).toFixed(2),
      ]
    }),
  )
  const [first, , last] = sizes
  return (
    cost("agent-statecharts", last) <= 25 &&
    exponent([first, last].map((size) => [size, size * cost("agent-statecharts", size)])) <= 1.15
  )
}
