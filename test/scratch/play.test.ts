import { readdirSync, readFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "vitest"
import { analyzePolicies, counterexamplesOf } from "../../src/analysis/policies/analyze-policies.js"
import { readPolicies, compile } from "../../src/compiler/index.js"
import { playCounterexample } from "../../src/cli/counterexample/play-counterexample.js"

const folder = "test/policies/vectors"
const only = process.env["ONLY"] ?? ""
test("play", async () => {
  let ok = 0,
    bad = 0
  for (const name of readdirSync(folder).sort()) {
    if (!name.includes(only)) continue
    const file = ["workflow.json", "workflow.yaml"]
      .map((one) => join(folder, name, one))
      .find(existsSync)!
    const { chart } = compile(readFileSync(file, "utf8"))
    const { policies: set } = readPolicies(readFileSync(join(folder, name, "policy.yaml"), "utf8"))
    if (chart === null || set === null) continue
    const { results } = analyzePolicies(chart, set, null)
    for (const [index, result] of results.entries()) {
      if (result.verdict !== "violated" || result.pattern === "noFlow") continue
      const policy = set.policies[index]!
      const context = { chart, policy, set, prices: set.prices as never }
      let tries = 0,
        outcome: any = null
      for (const one of [
        result.counterexample!,
        ...counterexamplesOf(chart, policy, set, null, 10).slice(1),
      ]) {
        tries++
        outcome = await playCounterexample(one, context)
        if (outcome.play !== null) break
        if (only !== "") console.log(JSON.stringify(one, null, 1))
      }
      if (outcome?.play != null) {
        ok++
        if (tries > 1) console.log("ok after", tries, name, policy.name)
      } else {
        bad++
        console.log("NOT", name, policy.name, tries, JSON.stringify(outcome))
      }
      if (only !== "") console.log(JSON.stringify(outcome, null, 1))
    }
  }
  console.log({ ok, bad })
}, 600_000)
