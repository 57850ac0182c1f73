import { createHash } from "node:crypto"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { fingerprintText } from "../../src/machines/contract/fingerprint-text.js"

/** Cursor movement, window title, bell, C1 controls, deletion, text direction, zero-width characters, tags, fillers, separators and a forged line. */
export const hostile =
  '\u001b[2K\u001b[32mgreen\u001b[1A\u001b]0;t\u0007\r\u009b2J\b\u007f\u061c\u200b\u200e\u200f\u202e\u2066\u2028\u2060\ufeff\u00ad\u{e0041}\u{e0100}\u3164\u2800\nFORGED {"a":1}'

const http = (url: string): object => ({ url, method: "POST" })

const plain = {
  rootAgentId: "line",
  globalTools: [
    { type: "HttpTool", id: "pay", description: "d", httpConfig: http("http://tools.test/pay") },
  ],
  agents: [
    { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "payer" }, { agentId: "boss" }] },
    {
      type: "LlmAgent",
      id: "payer",
      httpConfig: http("http://llm.test/payer"),
      tools: ["pay"],
      outputKey: "report",
      activityConfig: { retryPolicy: { maximumAttempts: 1 } },
    },
    { type: "HumanAgent", id: "boss", prompt: "Which?", outputKey: "city" },
  ],
}

const renamed = ["line", "payer", "boss", "pay", "report", "city", "Which?", "d"]
const named = ["agent", "outputKey", "prompt", "name", "description", "tools", "agents"]

/** Adds the hostile text to every id, name, path and prompt, but not to references between states. */
function spoiled(value: unknown, key: string): unknown {
  if (typeof value === "string") {
    if (key === "path") return value.replaceAll(/[^/]+/g, (segment) => segment + hostile)
    return named.includes(key) && renamed.includes(value) ? value + hostile : value
  }
  if (Array.isArray(value)) return value.map((item: unknown) => spoiled(item, key))
  if (typeof value !== "object" || value === null) return value
  const isMap = key === "agents" || key === "tools"
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      isMap ? name + hostile : name,
      spoiled(inner, isMap ? "" : name),
    ]),
  )
}

/** Returns a chart that the compiler never creates, but that anyone can write: every text field contains hostile text. */
export function hostileChart(): object {
  const { chart } = compile(plain)
  if (chart === null) throw new Error("the config has errors")
  const { machines, agents, tools, fingerprint: _, ...rest } = chart
  const made = {
    ...rest,
    machines: spoiled(machines, "machines"),
    agents: spoiled(agents, "agents"),
    tools: spoiled(tools, "tools"),
    settings: chart.settings,
  }
  // The cast is safe: only texts of the chart have changed.
  const text = fingerprintText(made as AgentChart)
  return { ...made, fingerprint: createHash("sha256").update(text).digest("hex") }
}

/** The responses of the model and the tool of this chart. */
export const hostileScenario = {
  llm: {
    payer: [
      {
        content: `May I? ${hostile}`,
        toolCalls: [
          {
            id: `call${hostile}`,
            function_name: `pay${hostile}`,
            function_args: { [`key${hostile}`]: hostile, amount: 10_000 },
          },
        ],
        hitlRequest: { prompt: hostile, details: { [hostile]: hostile } },
      },
      { content: `Paid. ${hostile}`, stateUpdates: { [hostile]: hostile }, exitFlow: true },
    ],
  },
  tools: { pay: [{ [hostile]: hostile }] },
}
