// Measures the cost of policies: the same run with and without ten enforced policies.
import { readPolicies } from "agent-statecharts"
import { createRunner } from "agent-statecharts/runtime"
import { measure, median, printTable } from "./measure.mjs"
import { services, workloads } from "./workloads.mjs"

/** The first and the last agent that call a model. */
const agents = {
  sequence: ["a0", "a199"],
  "loop, one growing conversation": ["writer", "writer"],
  "tool loop": ["worker", "worker"],
  "parallel block": ["a0", "a199"],
}

/** One policy of each pattern, as in the guide. Three of them match each step of the runs. */
const guide = ([first, last]) => `policies:
  - name: no-deletes
    never: { call: "delete_*" }
  - name: charge-after-approval
    allow: { call: charge_payment }
    onlyAfter: approval
  - name: publish-after-review
    allow: { start: publisher }
    onlyAfter: { finish: ${first} }
  - name: no-edits-after-publication
    never: { call: "edit_*" }
    after: { result: publish_page }
  - name: refunds-are-confirmed
    whenever: { result: refund }
    then: { call: send_confirmation }
  - name: agents
    atMost: 1000000
    of: { start: "*" }
  - name: index-alone
    notTogether: [{ agent: indexer }, { agent: ${last} }]
  - name: crm-stays-inside
    noFlow: { from: { result: read_crm }, to: { arguments: post_public } }
    unless: [approval]
  - name: calls
    atMost: 1000000
    of: { call: add }
  - name: budget
    budget: { modelCalls: 1000000 }
`

/** Ten policies that match each step of the runs, or each model call of it. */
const busy = ([first, last]) => `policies:
  - name: starts
    atMost: 1000000
    of: { start: "*" }
  - name: finishes
    atMost: 1000000
    of: { finish: "*" }
  - name: calls
    atMost: 1000000
    of: { call: "*" }
  - name: results
    atMost: 1000000
    of: { result: "*" }
  - name: model-calls
    budget: { modelCalls: 1000000 }
  - name: models
    atMost: 1000000
    of: { model: any, in: "*" }
  - name: start-before-model
    allow: { model: any }
    onlyAfter: { start: ${first} }
  - name: no-start-after-publication
    never: { start: "a*" }
    after: { call: publish_page }
  - name: models-are-followed
    whenever: { model: any }
    then: { finish: "*" }
  - name: last-is-alone
    notTogether: [{ agent: publisher }, { agent: ${last} }]
`

const mixes = { guide, busy }

/**
 * Upper limits of the ratio of CPU time. The goal of every run is 1.05. On a loaded machine, the
 * ratio of one run varies by 0.05.
 */
const limits = {
  sequence: 1.25,
  "loop, one growing conversation": 1.3,
  "tool loop": 1.2,
  "parallel block": 1.5,
}

/** Runs in one measurement. */
const batch = 3

async function play(runner, chart) {
  const { status, error } = await runner.start(chart).result
  if (status !== "completed") throw new Error(`${status}: ${error?.message}`)
}

/** Prints the ratios. Returns whether all of them are below their limits. */
export async function policyCost({ rounds }) {
  const rows = []
  const problems = []
  for (const [name, { n, chart: chartFor }] of Object.entries(workloads)) {
    const chart = chartFor(n)
    const runners = { none: createRunner(services) }
    for (const [mix, textFor] of Object.entries(mixes)) {
      const { policies, diagnostics } = readPolicies(textFor(agents[name]))
      if (policies === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
      runners[mix] = createRunner({ ...services, policies, enforce: true })
    }
    const times = Object.fromEntries(Object.keys(runners).map((mix) => [mix, []]))
    // The runners alternate, in another order each round, so that other load on the machine and the
    // garbage of the previous run affect all of them. The first rounds are a warm-up.
    const order = Object.entries(runners)
    for (let round = -20; round < rounds; round++) {
      order.push(order.shift())
      if (round % 3 === 0) order.reverse()
      for (const [mix, runner] of order) {
        const { cpu } = await measure(async () => {
          for (let run = 0; run < batch; run++) await play(runner, chart)
        })
        if (round >= 0) times[mix].push(cpu / batch)
      }
    }
    const without = median(times.none)
    for (const mix of Object.keys(mixes)) {
      const more = median(times[mix]) - without
      const ratio = 1 + more / without
      rows.push([`${name}, ${n}`, mix, (without * 1000) / n, (more * 1000) / n, ratio])
      if (ratio > limits[name])
        problems.push(
          `${name} with the policies "${mix}" costs ${ratio.toFixed(2)} times a run without, more than ${limits[name]}`,
        )
    }
    for (const runner of Object.values(runners)) await runner.close()
  }
  printTable(
    "What ten enforced policies cost",
    ["run", "policies", "CPU µs of a step without them", "CPU µs more", "CPU, ratio"],
    rows,
  )
  for (const problem of problems) console.log(`\nWorse: ${problem}.`)
  return problems.length === 0
}
