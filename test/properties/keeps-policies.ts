import assert from "node:assert/strict"
import { analyzePolicies } from "../../src/analysis/policies/analyze-policies.js"
import { readPolicies } from "../../src/compiler/1-parse/policies/read-policies.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { violated } from "../../src/policies/automaton.js"
import type { Occurrence } from "../../src/policies/occurrence.js"
import { automatonOf } from "../../src/policies/policy-automaton.js"
import type { Policy } from "../../src/policies/policy.js"
import type { Tale } from "./arbitrary-scene.js"
import { occurrencesOf } from "./occurrences.js"
import { playRun } from "./play.js"
import { chartOf } from "./properties.js"

/** Numbers from which a policy is chosen. */
export type Choice = readonly [number, number, number, number, number]

/** A run never violates a policy that was proved for its chart. */
export async function keepsPolicies(
  tale: Tale,
  choices: readonly Choice[],
  count: (verdict: string) => void,
): Promise<void> {
  const chart = chartOf(tale)
  const entries = choices.map((choice, index) => policyText(`p${index}`, choice, chart))
  const { policies, diagnostics } = readPolicies(
    `policies:\n${entries.join("\n")}\nlimits: { states: 300 }`,
  )
  assert.ok(policies !== null, diagnostics.map(({ message }) => message).join("\n"))
  const { results } = analyzePolicies(chart, policies, null)
  for (const { verdict } of results) count(verdict)
  const proved = policies.policies.filter((_, index) => results[index]?.verdict === "proved")
  if (proved.length === 0) return
  const { events } = await playRun(chart, tale.scene)
  const models = new Map(
    Object.entries(chart.agents).flatMap(([agent, one]) =>
      one.type === "LlmAgent" ? [[agent, one.endpoint?.url ?? one.model ?? ""]] : [],
    ),
  )
  const occurrences = occurrencesOf(events, chart.dialect === "adk", models)
  for (const policy of proved) {
    const at = violationOf(policy, occurrences)
    assert.equal(at, null, `the proved policy ${JSON.stringify(policy)} is violated`)
  }
}

/** Returns the occurrence that violates a policy, or null. */
function violationOf(policy: Policy, occurrences: readonly Occurrence[]): Occurrence | null {
  const automaton = automatonOf(policy)
  if (automaton === null) return null
  let states: readonly string[] = [automaton.start]
  for (const occurrence of occurrences) {
    if (!automaton.reads(occurrence)) continue
    states = [...new Set(states.flatMap((state) => automaton.next(state, occurrence)))]
    if (states.includes(violated)) return occurrence
  }
  return null
}

function policyText(name: string, [pattern, a, b, n, scope]: Choice, chart: AgentChart): string {
  const agents = Object.keys(chart.agents)
  const tools = Object.keys(chart.tools)
  const keys = Object.values(chart.agents).flatMap(({ outputKey }) => outputKey ?? [])
  const one = (list: readonly string[], number: number): string =>
    JSON.stringify(list[number % Math.max(1, list.length)] ?? "nothing")
  const atom = (number: number): string => {
    const rest = Math.floor(number / 7)
    switch (number % 7) {
      case 0:
        return `{ call: ${one(tools, rest)} }`
      case 1:
        return `{ start: ${one(agents, rest)} }`
      case 2:
        return `{ finish: ${one(agents, rest)} }`
      case 3:
        return `{ write: ${one(keys, rest)} }`
      case 4:
        return `{ handoff: ${one(agents, rest)} }`
      case 5:
        return `{ model: "*", by: ${one(agents, rest)} }`
      default:
        return `{ finish: ${one(agents, rest)}, outcome: [${["done", "failed", "escalated", "exited"][rest % 4]}] }`
    }
  }
  const rules = [
    `never: ${atom(a)}`,
    `allow: ${atom(a)}\n    onlyAfter: ${atom(b)}`,
    `never: ${atom(a)}\n    after: ${atom(b)}`,
    `whenever: ${atom(a)}\n    then: ${atom(b)}`,
    `atMost: ${n % 4}\n    of: ${atom(a)}`,
    `notTogether: [{ agent: ${one(agents, a)} }, { agent: ${one(agents, b)} }]`,
    `whenever: ${atom(a)}\n    then: ${atom(b)}\n    evenIf: [failed, limit]`,
  ]
  const per = ["run", "run", "run", `agent ${agents[n % agents.length] ?? "x"}`][scope % 4] ?? "run"
  return `  - name: ${name}\n    per: ${per}\n    ${rules[pattern % rules.length]}`
}
