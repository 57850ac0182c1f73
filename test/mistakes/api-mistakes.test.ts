import { afterAll, expect, test } from "vitest"
import {
  AgentTool,
  BasePlugin,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  START,
  Workflow,
} from "../../src/adk/index.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { createClient } from "../../src/client/index.js"
import { drawMermaid, drawSvg } from "../../src/drawing/index.js"
import { compile, compileOrThrow, createRunner } from "../../src/index.js"
import { toMachine } from "../../src/runtime/index.js"

const config = { rootAgentId: "clerk", agents: [{ type: "HumanAgent", id: "clerk" }] }
const misspelled = { ...config, rootAgentId: "clark" }
const chart = compileOrThrow(config)
const runner = createRunner()
const run = runner.start(chart, { prompt: "Hello", runId: "order-17" })
await run.whenSettled()
afterAll(() => runner.close())

/** Passes a value of a wrong type, as plain JavaScript can. */
const wrong = (value: unknown): never => value as never

const agentOptions = { name: "clerk", model: "small", instruction: "Help." }
const agent = new LlmAgent(agentOptions)
const find = { name: "find", description: "Finds orders.", execute: () => "" }

/** Compiles a program. Throws if there is an error. */
const compiling = (program: unknown): unknown => compileOrThrow(wrong(program))

/** Mistakes of a user: the text of a call, and the same call as code. */
const mistakes: Readonly<Record<string, () => unknown>> = {
  "compile(undefined)": () => compile(wrong(undefined)),
  "compile(null)": () => compile(wrong(null)),
  'compile(readFile("workflow.json"))': () => compile(Promise.resolve("{}")),
  'compile(readFileSync("workflow.json"))': () => compile(Buffer.from("{}")),
  "compile(chart)": () => compile(chart),
  "compile(compile(config))": () => compile(compile(config)),
  'compile(config, "workflow.json")': () => compile(config, wrong("workflow.json")),
  'compile(config, { dialekt: "adk" })': () => compile(config, wrong({ dialekt: "adk" })),
  "compileOrThrow(misspelled)": () => compileOrThrow(misspelled),
  'compileOrThrow(text, { file: "workflow.json" })': () =>
    compileOrThrow(JSON.stringify(misspelled, null, 2), { file: "workflow.json" }),
  'compileOrThrow("workflow.json")': () => compileOrThrow("workflow.json"),
  "runner.start(null)": () => runner.start(wrong(null)),
  "runner.start()": () => runner.start(wrong(undefined)),
  "runner.start(config)": () => runner.start(wrong(config)),
  "runner.start(misspelled)": () => runner.start(wrong(misspelled)),
  "runner.start(compile(config))": () => runner.start(wrong(compile(config))),
  "runner.start(compile(misspelled))": () => runner.start(wrong(compile(misspelled))),
  "runner.start(promise)": () => runner.start(wrong(Promise.resolve(chart))),
  'runner.start("{...}")': () => runner.start(wrong("{}")),
  'runner.start(chart, "Hello")': () => runner.start(chart, wrong("Hello")),
  'runner.start(chart, { promt: "Hello" })': () => runner.start(chart, wrong({ promt: "Hello" })),
  "runner.start(chart, { runId: 17 })": () => runner.start(chart, wrong({ runId: 17 })),
  'runner.start(chart, { session: "s1" })': () => runner.start(chart, wrong({ session: "s1" })),
  "runner.start(storedChart) of a later format": () =>
    runner.start(wrong({ ...chart, formatVersion: 2 })),
  "runner.start(incompleteChart)": () =>
    runner.start(wrong({ formatVersion: 1, fingerprint: "f", machines: {} })),
  "runner.resume()": () => runner.resume(wrong(undefined)),
  'runner.fork("order-17")': () => runner.fork("order-17", wrong(undefined)),
  "createRunner(null)": () => createRunner(wrong(null)),
  "createRunner({ modles: {} })": () => createRunner(wrong({ modles: {} })),
  'createRunner({ journal: "runs" })': () => createRunner(wrong({ journal: "runs" })),
  'createRunner({ models: { small: "gpt-5" } })': () =>
    createRunner({ models: { small: wrong("gpt-5") } }),
  'createRunner({ models: { small: openai("gpt-5") } })': () =>
    createRunner({ models: { small: wrong({ doGenerate: async () => ({}) }) } }),
  "createRunner({ tools: { add: (a, b) => a + b } })": () =>
    createRunner({ tools: { add: wrong((a: number, b: number) => a + b) } }),
  'createRunner({ secrets: { KEY: "..." } })': () =>
    createRunner({ secrets: wrong({ KEY: "hidden" }) }),
  "toMachine(null)": () => toMachine(wrong(null)),
  "toMachine(config)": () => toMachine(wrong(config)),
  "drawSvg(compiled)": () => drawSvg(wrong(compile(config))),
  "drawMermaid(config)": () => drawMermaid(wrong(config)),
  "analyzeChart(null)": () => analyzeChart(wrong(null)),
  'run.answer("yes")': () => run.answer("yes", undefined),
  "run.answer(request, value)": () => run.answer(wrong(run.pending()[0]), "yes"),
  "run.approve(id, null)": () => run.approve("clerk#0", wrong(null)),
  "run.say()": () => run.say(wrong(undefined)),
  'run.give({ type: "reply" })': () => run.give(wrong({ type: "reply" })),
  "jsonlJournal()": () => jsonlJournal(wrong(undefined)),
  'sqliteJournal({ file: "runs.sqlite" })': () => sqliteJournal(wrong({ file: "runs.sqlite" })),
  "createClient()": () => createClient(wrong(undefined)),
  'createClient("http://127.0.0.1:4000")': () => createClient(wrong("http://127.0.0.1:4000")),
  "new FunctionTool({ name, description, excute })": () =>
    new FunctionTool(wrong({ ...find, execute: undefined, excute: () => "" })),
  "new FunctionTool({ name, description })": () =>
    new FunctionTool(wrong({ ...find, execute: undefined })),
  "new FunctionTool({ ...find, isLongRuning: true })": () =>
    new FunctionTool(wrong({ ...find, isLongRuning: true })),
  "new AgentTool({ agnet: clerk })": () => new AgentTool(wrong({ agnet: agent })),
  "new AgentTool(clerk)": () => new AgentTool(wrong(agent)),
  'new LlmAgent({ tools: ["find"] })': () =>
    new LlmAgent(wrong({ ...agentOptions, tools: ["find"] })),
  "new LlmAgent({ tools: [find] })": () =>
    new LlmAgent(wrong({ ...agentOptions, tools: [() => ""] })),
  "new LlmAgent({ tools: [FunctionTool] })": () =>
    new LlmAgent(wrong({ ...agentOptions, tools: [FunctionTool] })),
  "new LlmAgent({ tools: [undefined] })": () =>
    new LlmAgent(wrong({ ...agentOptions, tools: [undefined] })),
  "new Workflow({ name, edge })": () => new Workflow(wrong({ name: "flow", edge: [] })),
  'new Workflow({ maxConcurency: 3, maxIterations: "" })': () =>
    compiling(
      new Workflow(
        wrong({ name: "flow", edges: [[START, agent]], maxConcurency: 3, maxIterations: "" }),
      ),
    ),
  "new InMemoryRunner({ agnt: clerk })": () => new InMemoryRunner(wrong({ agnt: agent })),
  "new InMemoryRunner({ agent: clerk, plugin: [] })": () =>
    new InMemoryRunner(wrong({ agent, plugin: [] })),
  "class Audit extends BasePlugin { beforeModelCallbak() {} }": () =>
    new (class Audit extends BasePlugin {
      beforeModelCallbak() {}
    })("audit"),
  'createClient({ url: "localhost:4000" })': () => createClient({ url: "localhost:4000" }),
}

/** Returns the error of a mistake as `code: message`. Fails for mistakes without a typed error. */
async function errorOf(title: string, act: () => unknown): Promise<string> {
  try {
    await act()
  } catch (error) {
    if (error instanceof Error && "code" in error) return `${String(error.code)}: ${error.message}`
    throw error
  }
  throw new Error(`${title} does not throw`)
}

test("the error for each mistake in a call explains how to fix it", async () => {
  const texts: string[] = []
  for (const [title, act] of Object.entries(mistakes))
    texts.push(`## ${title}\n\n${await errorOf(title, act)}\n`)
  await expect(texts.join("\n")).toMatchFileSnapshot("api-mistakes.txt")
})
