// Runs this package in a comparison of orchestrators: the same agent trees, the same model without
// latency, the same tool. Uses the public entry of the built package, a journal in memory and one
// subscriber to the events of each run.
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const meta = {
  pkg: "agent-statecharts",
  importPath: fileURLToPath(new URL("../dist/index.js", import.meta.url)),
}
export const variants = { ours: {}, "ours+jsonl": { jsonl: true, only: /^(seq|loop|par-1)/ } }

let lib
let memoryJournal
let jsonlJournal
export async function load() {
  lib = await import(meta.importPath)
  ;({ memoryJournal } = await import("../dist/runtime/index.js"))
  ;({ jsonlJournal } = await import("../dist/adapters/journal/jsonl/index.js"))
}

const functionTool = (id) => ({
  type: "FunctionTool",
  id,
  parameters: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
})

/**
 * Returns the tree as a config of the adk dialect, in which instructions are templates. The agents
 * share no history, because those of the other packages do not either.
 */
function configOf(tree) {
  const agents = []
  const globalTools = new Map()
  const add = (node) => {
    const { type, name } = node
    const subAgents = () => node.children.map((child) => ({ agentId: add(child) }))
    if (type === "llm") {
      for (const id of node.tools ?? []) globalTools.set(id, functionTool(id))
      agents.push({
        type: "LlmAgent",
        name,
        model: name,
        instruction: node.instruction,
        outputKey: node.outputKey,
        includeContents: "none",
        ...(node.tools && { tools: node.tools }),
      })
    } else if (type === "approval")
      agents.push({ type: "HumanAgent", name, prompt: "Go on?", outputKey: node.outputKey })
    else if (type === "sequence")
      agents.push({ type: "SequentialAgent", name, subAgents: subAgents() })
    else if (type === "parallel")
      agents.push({ type: "ParallelAgent", name, subAgents: subAgents() })
    else
      agents.push({
        type: "LoopAgent",
        name,
        subAgents: subAgents(),
        maxIterations: node.maxIterations,
        loopExitCondition: node.exitExpr,
      })
    return name
  }
  const rootAgentId = add(tree)
  return {
    dialect: "adk",
    rootAgentId,
    agents,
    globalTools: [...globalTools.values()],
    initialUserInput: "Begin.",
    maxModelCalls: 1_000_000,
    maxModelCallsPerTurn: 1_000_000,
  }
}

/**
 * Returns the model of one agent. In the comparison, a model receives the last message only, and
 * tool results are plain text.
 */
function modelOf(node, { model }) {
  const tools = node.tools && { calls: node.toolCalls }
  return {
    async call({ messages }) {
      const last = messages.at(-1)
      const told =
        last.role === "tool"
          ? { role: "tool", content: String(last.content[0].function_response.response.result) }
          : last
      const { content, toolCalls } = await model({
        system: messages[0].content,
        messages: [told],
        ...(tools && { tools }),
      })
      return {
        content,
        ...(toolCalls && {
          toolCalls: toolCalls.map(({ id, name, args }) => ({
            id,
            function_name: name,
            function_args: args,
          })),
        }),
      }
    },
  }
}

const leavesOf = (node) => (node.children === undefined ? [node] : node.children.flatMap(leavesOf))

export async function compile(tree, env, { jsonl = false }) {
  const { chart, diagnostics } = lib.compile(configOf(tree))
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  const leaves = leavesOf(tree)
  const models = Object.fromEntries(
    leaves.filter(({ type }) => type === "llm").map((node) => [node.name, modelOf(node, env)]),
  )
  const services = { add: (_context, { value }) => env.addTool({ value }) }
  // Has no journal, but can measure the memory of a waiting run.
  const journal = jsonl
    ? jsonlJournal(mkdtempSync(join(tmpdir(), "bench-")))
    : memoryJournal({}, { keepEnded: false })
  const runner = lib.createRunner({ models, services, journal })
  return { chart, runner, journal }
}

const begin = ({ chart, runner }) => {
  const run = runner.start(chart)
  run.events$.subscribe(() => {})
  return run
}

const systemKeys = [
  "_user_message_count",
  "orchestration_cycle_count",
  "current_agent_loop_iteration",
  "loop_exit_reason",
]

/**
 * Returns the state without system keys. Deletes them, because copying a thousand keys would
 * distort the measurement.
 */
async function stateOf(run) {
  const { status, state, error } = await run.result
  if (status !== "completed") throw new Error(`${status}: ${error?.message}`)
  for (const key of systemKeys) delete state[key]
  return state
}

export const run = (program) => stateOf(begin(program))

export async function pause(program) {
  const run = begin(program)
  const { status } = await run.whenSettled()
  if (status !== "waiting") throw new Error(`${status} instead of waiting`)
  return run
}

export function resume(program, run, decision) {
  run.answer(run.pending()[0].id, decision)
  return stateOf(run)
}

/**
 * Returns the data to continue the run in another process, without the chart, which is stored once
 * for all runs.
 */
export function snapshot({ journal }, { runId }) {
  const { header, records } = journal.load(runId)
  return JSON.stringify({ header: { ...header, chart: header.chart.fingerprint }, records })
}
