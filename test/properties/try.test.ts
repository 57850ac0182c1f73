import * as fc from "fast-check"
import { writeFileSync } from "node:fs"
import { test } from "vitest"
import { tale } from "./arbitrary-scene.js"
import { Coverage } from "./coverage.js"
import { endsAndAgrees, survives } from "./properties.js"

const keep = (value: unknown): void => { if (process.env["KEEP"]) writeFileSync(process.env["KEEP"], JSON.stringify(value)) }
const opts = { numRuns: Number(process.env["PROPERTY_CASES"] ?? 300), ...(process.env["SEED"] ? { seed: Number(process.env["SEED"]) } : {}), ...(process.env["PATH_"] ? { path: process.env["PATH_"] } : {}), endOnFailure: process.env["END"] === "1" }
test.each(["graph-compose", "adk"] as const)("%s ends and agrees", async (dialect) => {
  const coverage = new Coverage()
  await fc.assert(fc.asyncProperty(tale(dialect, true), (t) => (keep(t), endsAndAgrees(t, coverage))), opts)
  console.log(String(coverage))
}, 3_000_000)
test.each(["graph-compose", "adk"] as const)("%s survives", async (dialect) => {
  const coverage = new Coverage()
  const deaths = fc.record({ after: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }), downFor: fc.constantFrom(0, 0, 500, 10_000) })
  await fc.assert(fc.asyncProperty(tale(dialect, true), deaths, (t, d) => (keep([t, d]), survives(t, d, coverage))), opts)
  console.log(String(coverage))
}, 3_000_000)
