import { expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"

const { chart } = compile({
  dialect: "adk",
  rootAgentId: "clerk",
  agents: [{ type: "LlmAgent", id: "clerk", model: "any", instruction: "Pay.", tools: ["pay"] }],
  globalTools: [{ type: "FunctionTool", id: "pay", description: "Pays." }],
  plugins: [{ type: "SecurityPlugin", policyEngine: "rules" }],
  initialUserInput: "go",
})

/** Runs one tool call. Returns how often the tool ran, the pending requests and the tool result. */
async function judgedBy(decision: unknown) {
  if (chart === null) throw new Error("the workflow has to compile")
  let paid = 0
  const { http, modelCalls } = scriptedServices({
    clerk: [
      { content: null, toolCalls: [{ id: "1", function_name: "pay", function_args: {} }] },
      { content: "done" },
    ],
  })
  const rules = () => {
    if (decision instanceof Error) throw decision
    return decision
  }
  const run = createRunner({
    models: { any: http.model },
    services: { rules, pay: () => ({ paid: ++paid }) },
  }).start(chart)
  const { status } = await run.whenSettled()
  const waits = run.pending().map(({ kind }) => kind)
  run.cancel()
  return { status, paid, waits, told: JSON.stringify(modelCalls[1]?.messages.at(-1) ?? null) }
}

test.each([{ outcome: "ALLOW" }, { outcome: "ALLOW", reason: "small" }, undefined, null])(
  "the decision %j allows a tool call",
  async (decision) => {
    expect(await judgedBy(decision)).toMatchObject({
      status: "completed",
      paid: 1,
      told: expect.stringContaining("paid"),
    })
  },
)

test.each([
  [{ outcome: "DENY", reason: "too much" }, "the call is denied: too much"],
  [{ outcome: "DENY" }, "the call is denied"],
  [new Error("the rules are gone"), "the rules are gone"],
])(
  "the decision %j denies a tool call, and the model receives the reason",
  async (decision, told) => {
    expect(await judgedBy(decision)).toMatchObject({
      status: "completed",
      paid: 0,
      told: expect.stringContaining(told),
    })
  },
)

test.each([{ outcome: "deny" }, { outcome: "BLOCK" }, { allowed: false }, {}, "DENY", false, []])(
  "the invalid decision %j denies a tool call",
  async (decision) => {
    expect(await judgedBy(decision)).toMatchObject({
      status: "completed",
      paid: 0,
      told: expect.stringContaining("the policy engine must return"),
    })
  },
)

test("the decision CONFIRM requests an approval from a person", async () => {
  expect(await judgedBy({ outcome: "CONFIRM" })).toMatchObject({
    status: "waiting",
    paid: 0,
    waits: ["approval"],
  })
})
