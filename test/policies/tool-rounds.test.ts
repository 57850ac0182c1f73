import { describe, expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { readPolicies } from "../../src/compiler/index.js"
import { chartOf, httpTool, llm, sequence } from "../support/workflow.js"

const agents = [
  sequence("line", ["reader", "writer"]),
  llm("reader", { tools: ["search"] }),
  llm("writer"),
]
const chart = chartOf(agents, { globalTools: [httpTool("search")] })

function decide(rule: string, assume: string) {
  const text = `policies:\n  - name: p\n    ${rule}\nassume: { ${assume} }\nprices: { "*": { perCall: 2 } }`
  const { policies, diagnostics } = readPolicies(text)
  if (policies === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  const [result] = analyzeChart(chart, { policies }).policies
  return result && { verdict: result.verdict, assumptions: result.assumptions }
}

const assumption = (rounds: string): string =>
  `A turn has at most ${rounds}, and models do not ask the user questions.`

describe("the assumption toolRounds", () => {
  test.each([
    ["modelCalls: 3", 1, "1 tool round"],
    ["modelCalls: 4", 2, "2 tool rounds"],
    ["cost: 6", 1, "1 tool round"],
    ["modelCalls: 3, cost: 6", 1, "1 tool round"],
  ])("proves the budget { %s } with %i, and the verdict lists it", (budget, rounds, text) => {
    expect(decide(`budget: { ${budget} }`, `modelSignals: [], toolRounds: ${rounds}`)).toEqual({
      verdict: "proved",
      assumptions: ["Models use no signals.", assumption(text)],
    })
  })

  test.each([
    ["modelCalls: 3", "toolRounds: 2"],
    ["modelCalls: 2", "toolRounds: 1"],
    ["cost: 5", "toolRounds: 1"],
    ["modelCalls: 3", "modelSignals: none"],
  ])("does not prove the budget { %s } with { %s }", (budget, assume) => {
    const decided = decide(`budget: { ${budget} }`, assume)
    expect(decided?.verdict).not.toBe("proved")
    expect(decided?.assumptions.join()).not.toContain("tool round")
  })

  test("is not listed for policies that are proved without it", () => {
    expect(decide("budget: { modelCalls: 500 }", "toolRounds: 1")).toEqual({
      verdict: "proved",
      assumptions: [],
    })
    expect(decide("never: { call: pay }", "toolRounds: 1")?.assumptions).toEqual([])
  })
})
