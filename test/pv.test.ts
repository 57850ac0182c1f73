import { readFileSync, readdirSync, existsSync } from "node:fs"
import { test } from "vitest"
import { compile } from "/work/w-policies/src/index.js"
import { readPolicies } from "/work/w-policies/src/compiler/1-parse/policies/read-policies.js"
import { decideOrder } from "/work/w-policies/src/analysis/policies/verdict.js"
const dir = "/work/shared/vectors/policies/"
test("v", { timeout: 600000 }, () => {
  let ok = 0, bad = 0
  const only = process.env["ONLY"]
  for (const name of readdirSync(dir)) {
    if (!existsSync(dir + name + "/expect.json") || (only && !name.match(only))) continue
    const e = JSON.parse(readFileSync(dir + name + "/expect.json", "utf8"))
    const { policies, diagnostics } = readPolicies(readFileSync(dir + name + "/policy.yaml", "utf8"), { file: "policy.yaml" })
    if (e.diagnostics) { console.log(name, policies === null, JSON.stringify(diagnostics.map(d => [d.code, d.line, d.message, d.fix]), null, 1)); continue }
    if (policies === null) { console.log("BAD FILE", name, diagnostics); bad++; continue }
    const wf = ["workflow.json", "workflow.yaml"].find((f) => existsSync(dir + name + "/" + f))!
    const c = compile(readFileSync(dir + name + "/" + wf, "utf8"))
    if (!c.chart) { console.log("NO CHART", name, c.diagnostics); bad++; continue }
    for (const p of policies.policies) {
      const want = e.policies[p.name]
      if (want === undefined) continue
      const t = Date.now()
      let got: any
      try { got = decideOrder(c.chart, p, policies) } catch (x) { got = { verdict: "THROWS " + (x as Error).stack } }
      if (got === null) continue
      const w = [want.verdict].flat()
      const records = got.path?.reduce((s: number, q: any) => s + q.records, 0)
      const good = w.includes(got.verdict) && (want.mostRecords === undefined || records === undefined || records <= want.mostRecords)
      if (good) ok++; else { bad++; console.log("WRONG", name, p.name, "want", w, want.mostRecords, "got", got.verdict, records, got.states, JSON.stringify(got.uses ?? ""), (got.path ?? []).map((s: any) => `${s.records}:${s.does}`).join(" | "), want.why ?? "") }
      if (Date.now() - t > 2000) console.log("SLOW", name, p.name, Date.now() - t, got.states)
    }
  }
  console.log(ok, "ok", bad, "bad")
})
