import assert from "node:assert/strict"
import * as fc from "fast-check"
import type { Counterexample, PolicyResult } from "../../src/analysis/index.js"
import { analyzePolicies, counterexamplesOf } from "../../src/analysis/policies/analyze-policies.js"
import type { PlayContext } from "../../src/cli/counterexample/play-counterexample.js"
import { isShown } from "../../src/cli/counterexample/play-counterexample.js"
import { readPolicies } from "../../src/compiler/1-parse/policies/read-policies.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { Policy } from "../../src/policies/policy.js"
import { createPolicyMonitor } from "../../src/policies/monitor/monitor.js"
import type { Tale } from "./arbitrary-scene.js"
import { tale } from "./arbitrary-scene.js"
import { playRun } from "./play.js"
import { chartOf } from "./properties.js"
import { referenceMonitor } from "./reference-monitor.js"

/** Numbers from which a policy is chosen. */
export type Choice = readonly [number, number, number, number, number]

/** The verdict of a policy. `not played`: no run reproduced the violation that the checker found. */
export type Judged = PolicyResult["verdict"] | "not played"

/** A random config, everything that happens during its run, and four random policies. */
export interface PolicyCase {
  readonly tale: Tale
  readonly choices: readonly Choice[]
}

const number = fc.nat(999)
const anyCase: fc.Arbitrary<PolicyCase> = fc.record({
  tale: fc.oneof(tale("adk"), tale("graph-compose")),
  choices: fc.array(fc.tuple(number, number, number, number, number), {
    minLength: 4,
    maxLength: 4,
  }),
})

/** Returns the case of a seed with this number. */
export function caseOf(seed: number, index: number): PolicyCase {
  const [found] = fc.sample(anyCase, { seed: seed + index * 7_919, numRuns: 1 })
  // `sample` returns exactly `numRuns` values.
  return found as PolicyCase
}

/** The result for one policy of a case. */
export interface JudgedPolicy {
  readonly text: string
  readonly verdict: Judged
  readonly reasons: readonly string[]
  readonly states: number
}

/** The result of one case. */
export interface JudgedCase {
  readonly policies: readonly JudgedPolicy[]
  readonly hasFunctions: boolean
  /** Number of random runs that were played. */
  readonly runs: number
  /** The proved policies that runs violated. */
  readonly refuted: readonly string[]
}

/**
 * Maximum number of states of each search. The default of a policy file is 200,000, which decides
 * more policies, but would take minutes for each undecided policy.
 */
const mostStates = 3_000

/**
 * Decides the policies of a case, plays the counterexamples, and plays random runs that must not
 * violate a proved policy. The monitor must find the same violations as the reference monitor, which
 * reads every event.
 */
export async function judgeCase(
  { tale: one, choices }: PolicyCase,
  runs: number,
  states = mostStates,
): Promise<JudgedCase> {
  const chart = chartOf(one)
  const entries = choices.map((choice, index) => policyText(`p${index}`, choice, chart))
  const { policies, diagnostics } = readPolicies(
    `policies:\n${entries.join("\n")}\nlimits: { states: ${states} }`,
  )
  assert.ok(policies !== null, diagnostics.map(({ message }) => message).join("\n"))
  const { results } = analyzePolicies(chart, policies, null)
  const hasFunctions = Object.keys(chart.services ?? {}).length > 0
  const judged: JudgedPolicy[] = []
  for (const [index, { verdict, counterexample, reasons, states: explored }] of results.entries()) {
    // Results are in the order of the policies.
    const policy = policies.policies[index] as Policy
    const context = { chart, policy, set: policies, prices: null }
    const isShown = counterexample === null || (await showsViolation(counterexample, context))
    judged.push({
      text: entries[index] ?? "",
      verdict: isShown ? verdict : "not played",
      reasons: reasons.map(({ code, message }) => `${code}: ${message}`),
      states: explored,
    })
  }
  const proved = new Set(
    results.flatMap(({ name, verdict }) => (verdict === "proved" ? [name] : [])),
  )
  const refuted = new Set<string>()
  let played = 0
  for (; played < runs && proved.size > 0; played++) {
    const { repertoire } = one.scene
    const seed = repertoire.seed + played * 7_919
    const { events } = await playRun(chart, { ...one.scene, repertoire: { ...repertoire, seed } })
    const monitor = createPolicyMonitor(chart, policies)
    const reference = referenceMonitor(chart, policies)
    for (const event of events) {
      const violations = monitor.follow(event).map(({ policy }) => policy)
      for (const policy of violations)
        if (proved.has(policy)) refuted.add(`${policy} in run ${played}`)
      assert.deepEqual(
        violations.filter((name) => reference.judges.has(name)),
        reference.follow(event),
        `the monitor reads ${event.type} differently for ${entries.join()}`,
      )
    }
  }
  return { policies: judged, hasFunctions, runs: played, refuted: [...refuted] }
}

/** Plays the counterexample of a policy, and other paths if its run does not violate the policy. */
async function showsViolation(first: Counterexample, context: PlayContext): Promise<boolean> {
  if (await isShown(first, context)) return true
  const { chart, policy, set } = context
  for (const other of counterexamplesOf(chart, policy, set, null, 10).slice(1))
    if (await isShown(other, context)) return true
  return false
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
  const source = (number: number): string =>
    [
      `result: ${one(tools, Math.floor(number / 4))}`,
      `text: ${one(agents, Math.floor(number / 4))}`,
      `key: ${one(keys, Math.floor(number / 4))}`,
      "prompt: user",
    ][number % 4] ?? ""
  const sink = (number: number): string =>
    [
      `arguments: ${one(tools, Math.floor(number / 5))}`,
      `request: ${one(tools, Math.floor(number / 5))}`,
      `input: ${one(agents, Math.floor(number / 5))}`,
      `key: ${one(keys, Math.floor(number / 5))}`,
      `instructions: ${one(agents, Math.floor(number / 5))}`,
    ][number % 5] ?? ""
  const rules = [
    `never: ${atom(a)}`,
    `allow: ${atom(a)}\n    onlyAfter: ${atom(b)}`,
    `never: ${atom(a)}\n    after: ${atom(b)}`,
    `whenever: ${atom(a)}\n    then: ${atom(b)}`,
    `atMost: ${n % 4}\n    of: ${atom(a)}`,
    `notTogether: [{ agent: ${one(agents, a)} }, { agent: ${one(agents, b)} }]`,
    `whenever: ${atom(a)}\n    then: ${atom(b)}\n    evenIf: [failed, limit]`,
    `budget: { modelCalls: ${n % 9} }`,
    `noFlow: { from: { ${source(a)} }, to: { ${sink(b)} } }`,
    `noFlow: { from: { ${source(a)} }, to: { ${sink(b)} } }\n    unless: [{ text: ${one(agents, n)} }]`,
  ]
  const agent = agents[n % agents.length] ?? "x"
  const pers = ["run", "run", "run", `agent ${agent}`, "invocation", `iteration of ${agent}`]
  const inside = scope % 7 === 6 ? `\n    in: ${one(agents, a)}` : ""
  return `  - name: ${name}\n    per: ${pers[scope % pers.length] ?? "run"}${inside}\n    ${rules[pattern % rules.length]}`
}
