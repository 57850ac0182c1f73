import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { openPolicies } from "../../src/cli/services/open-policies.js"
import { compileOrThrow, readPolicies } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import { createRunner, memorySessionStore } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { temporaryFolder } from "../support/temporary-folder.js"
import { chartOf, httpTool, llm, sequence } from "../support/workflow.js"

const team = compileOrThrow({
  dialect: "adk",
  rootAgentId: "desk",
  agents: [llm("desk", { tools: ["look"], subAgents: [llm("billing", { tools: ["refund"] })] })],
  globalTools: [httpTool("refund"), httpTool("look")],
})

const line = chartOf(
  [
    sequence("line", ["sender", "reader"]),
    llm("sender", { tools: ["post"] }),
    llm("reader", { tools: ["read"], outputKey: "notes" }),
  ],
  { globalTools: [httpTool("post"), httpTool("read")] },
)

const afterDesk =
  "policies:\n  - name: p\n    allow: { call: refund }\n    onlyAfter: { start: desk }"
const noNotes =
  "policies:\n  - name: p\n    noFlow: { from: { result: read }, to: { arguments: post } }"

function decide(chart: AgentChart, text: string) {
  const { policies, diagnostics } = readPolicies(text)
  if (policies === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  const [result] = analyzeChart(chart, { policies }).policies
  return result && { verdict: result.verdict, assumptions: result.assumptions }
}

describe("a proof for new sessions", () => {
  test("lists the assumption if a run that continues a session can violate the policy", () => {
    expect(decide(team, afterDesk)).toEqual({
      verdict: "proved",
      assumptions: ["No run continues a session."],
    })
    expect(decide(team, `${afterDesk}\nassume: { session: any }`)?.verdict).toBe("violated")
  })

  test("lists the assumption if data of an earlier run can reach the destination", () => {
    expect(decide(line, noNotes)).toEqual({
      verdict: "proved",
      assumptions: ["No run receives data from an earlier run."],
    })
    expect(decide(line, `${noNotes}\nassume: { session: any }`)?.verdict).not.toBe("proved")
  })

  test.each([
    [
      team,
      "policies:\n  - name: p\n    allow: { call: refund }\n    onlyAfter: { start: billing }",
    ],
    [line, "policies:\n  - name: p\n    allow: { call: read }\n    onlyAfter: { start: sender }"],
    [line, noNotes.replace("to: { arguments: post }", "to: { arguments: missing }")],
  ])("lists no assumption if the policy also holds in continued sessions (%#)", (chart, text) => {
    expect(decide(chart, text)).toEqual({ verdict: "proved", assumptions: [] })
  })
})

test("--enforce blocks a call in a continued session that the proof for new sessions excludes", async () => {
  const file = join(temporaryFolder("policies-"), "p.policy.yaml")
  writeFileSync(file, afterDesk)
  const policiesFor = await openPolicies({ policy: [file], enforce: true })
  const call = (id: string, name: string, args: object = {}) => ({
    content: null,
    toolCalls: [{ id, function_name: name, function_args: args }],
  })
  const runner = createRunner({
    ...scriptedServices(
      {
        desk: [call("c1", "transfer_to_agent", { agent_name: "billing" })],
        billing: [{ content: "How can I help?" }, call("c2", "refund"), { content: "Done." }],
      },
      { refund: ["paid"] },
    ),
    sessions: memorySessionStore(),
    ...policiesFor(team),
  })
  const session = { appName: "shop", userId: "ann", sessionId: "s" }
  const first = runner.start(team, { prompt: "Hello", session })
  await first.whenSettled()
  first.end()
  await first.result
  const events: string[] = []
  const second = runner.start(team, { prompt: "Refund it", session })
  second.events$.subscribe(({ type }) => void events.push(type))
  await second.whenSettled()
  expect(events).toContain("policy.refused")
  expect(events).not.toContain("tool.called")
})
