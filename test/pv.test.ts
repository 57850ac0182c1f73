import { readFileSync, readdirSync, existsSync } from "node:fs"
import { test } from "vitest"
import { compile } from "/work/w-policies/src/index.js"
import { readPolicies } from "/work/w-policies/src/compiler/1-parse/policies/read-policies.js"
import { analyzePolicies } from "/work/w-policies/src/analysis/policies/analyze-policies.js"
const dir = "/work/shared/vectors/policies/"
test("v", { timeout: 600000 }, () => {
  let ok = 0,
    bad = 0
  const only = process.env["ONLY"]
  for (const name of readdirSync(dir)) {
    if (!existsSync(dir + name + "/expect.json") || (only && !name.match(only))) continue
    const e = JSON.parse(readFileSync(dir + name + "/expect.json", "utf8"))
    const { policies, diagnostics } = readPolicies(
      readFileSync(dir + name + "/policy.yaml", "utf8"),
      { file: "policy.yaml" },
    )
    if (e.diagnostics) {
      console.log(
        name,
        policies === null,
        JSON.stringify(
          diagnostics.map((d) => [d.code, d.line, d.message, d.fix]),
          null,
          1,
        ),
      )
      continue
    }
    if (policies === null) {
      console.log("BAD FILE", name, diagnostics)
      bad++
      continue
    }
    const wf = ["workflow.json", "workflow.yaml"].find((f) => existsSync(dir + name + "/" + f))!
    const c = compile(readFileSync(dir + name + "/" + wf, "utf8"))
    if (!c.chart) {
      console.log("NO CHART", name, c.diagnostics)
      bad++
      continue
    }
    const usable = {
      ...policies,
      policies: policies.policies.filter((p) => p.rule.pattern !== "noFlow"),
    }
    const t = Date.now()
    const { results, warnings } = analyzePolicies(c.chart, usable, null)
    if (Date.now() - t > 2000) console.log("SLOW", name, Date.now() - t)
    const has = (text: string, ms: string[] = []) =>
      ms.every((m) => text.toLowerCase().includes(m.toLowerCase()))
    for (const w of e.warnings ?? [])
      if (
        !warnings.some(
          (x) => x.code === w.code && x.policy === w.policy && has(x.message + x.fix, w.mentions),
        )
      ) {
        if (usable.policies.some((p) => p.name === w.policy)) {
          bad++
          console.log("WRONG warning", name, JSON.stringify(w), JSON.stringify(warnings))
        }
      }
    if (!e.warnings && warnings.length)
      console.log("extra warnings", name, warnings.map((w) => w.message).join(" | "))
    for (const got of results) {
      const want = e.policies[got.name]
      if (want === undefined) continue
      const w = [want.verdict].flat()
      const problems = [
        !w.includes(got.verdict) && "verdict " + got.verdict,
        want.line !== got.line && "line " + got.line,
        want.mostRecords !== undefined &&
          got.counterexample &&
          got.counterexample.records > want.mostRecords &&
          "records " + got.counterexample.records,
        want.vacuous !== undefined && want.vacuous !== got.vacuous && "vacuous " + got.vacuous,
        !has(got.message, want.mentions) && "message " + got.message,
        ...(got.verdict === "unknown" ? (want.reasons ?? []) : []).map(
          (r: any) =>
            !got.reasons.some(
              (x: any) =>
                x.code === r.code &&
                ["function", "toolset", "model"].every(
                  (k) => r[k] === undefined || r[k] === x[k],
                ) &&
                has(x.message + x.fix, r.mentions),
            ) && "reason " + JSON.stringify(r) + " got " + JSON.stringify(got.reasons),
        ),
      ].filter(Boolean)
      if (problems.length === 0) ok++
      else {
        bad++
        console.log(
          "WRONG",
          name,
          got.name,
          w,
          problems.join("; "),
          JSON.stringify(got.counterexample?.path.map((s) => s.does)),
          want.why ?? "",
        )
      }
    }
  }
  console.log(ok, "ok", bad, "bad")
})
