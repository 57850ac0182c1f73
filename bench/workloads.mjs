// Runs for measuring journals, in any size: n calls of a model or tool with responses of a fixed
// length. The journal alone causes any growth beyond n.
import { compile } from "agent-statecharts"

/** About the length of a short model response. */
const answer = "The quick brown fox jumps over the lazy dog. ".repeat(5)

const range = (n) => Array.from({ length: n }, (_, index) => index)
const llm = (name, more = {}) => ({
  type: "LlmAgent",
  name,
  model: "any",
  instruction: "Go on.",
  outputKey: name,
  ...more,
})
const container = (type, name, subAgents, more = {}) => ({
  type,
  name,
  subAgents: subAgents.map((agentId) => ({ agentId })),
  ...more,
})

function chartOf(agents, more = {}) {
  const config = {
    dialect: "adk",
    rootAgentId: agents[0].name,
    agents,
    initialUserInput: "Begin.",
    maxModelCalls: 10_000_000,
    maxModelCallsPerTurn: 10_000_000,
    ...more,
  }
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

/**
 * `chart` creates the workload in a given size. `size` is the one that most tables use. In the adk
 * dialect, agents share their history.
 */
export const workloads = {
  sequence: {
    n: 200,
    chart: (n) =>
      chartOf([
        container(
          "SequentialAgent",
          "line",
          range(n).map((i) => `a${i}`),
        ),
        ...range(n).map((i) => llm(`a${i}`, { includeContents: "none" })),
      ]),
  },
  "loop, one growing conversation": {
    n: 400,
    chart: (n) =>
      chartOf([container("LoopAgent", "rounds", ["writer"], { maxIterations: n }), llm("writer")]),
  },
  "tool loop": {
    n: 200,
    chart: (n) =>
      chartOf([llm("worker", { tools: ["add"], outputKey: "text" })], {
        globalTools: [{ type: "FunctionTool", id: "add" }],
        state: { calls: n },
      }),
  },
  "parallel block": {
    n: 200,
    chart: (n) =>
      chartOf([
        container(
          "ParallelAgent",
          "fan",
          range(n).map((i) => `a${i}`),
        ),
        ...range(n).map((i) => llm(`a${i}`, { includeContents: "none" })),
      ]),
  },
}

/**
 * A model without latency. It calls the tool as often as the state requests, if the agent has one.
 */
export const services = {
  models: {
    any: {
      async call({ messages, tools, state }) {
        const done = tools.length === 0 ? 0 : messages.filter(({ role }) => role === "tool").length
        if (tools.length === 0 || done >= state.calls) return { content: answer }
        return {
          content: null,
          toolCalls: [{ id: `c${done}`, function_name: "add", function_args: { value: done } }],
        }
      },
    },
  },
  services: { add: (_context, { value }) => ({ value: value + 1, note: answer }) },
}
