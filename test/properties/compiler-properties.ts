import assert from "node:assert/strict"
import { compile, type CompileOptions, type Compiled } from "../../src/compiler/compile.js"
import { diagnosticCodes } from "../../src/compiler/diagnostics/diagnostic.js"
import type { Tale } from "./arbitrary-scene.js"
import type { Damage, forms, Scratch } from "./broken-config.js"
import { asText, damaged, inForm, scratched } from "./broken-config.js"
import type { Coverage } from "./coverage.js"
import { nothing } from "./invariants.js"
import { playActor, playRun } from "./play.js"

/** Checks that a config compiles to a chart or at least one error, with complete diagnostics, and to the same result each time. */
function compiled(source: string | object, options: CompileOptions): Compiled {
  const result = compile(source, options)
  const { chart, diagnostics } = result
  assert.equal(
    chart === null,
    diagnostics.some(({ severity }) => severity === "error"),
    "a chart, or an error",
  )
  for (const { code, severity, message, fix, pointer } of diagnostics) {
    assert.ok(diagnosticCodes.includes(code), `the code ${code} is in the list`)
    assert.ok(["error", "warning", "hint"].includes(severity))
    assert.ok(message !== "" && fix !== "", `${code} says what is wrong and what to do`)
    assert.ok(pointer === "" || pointer.startsWith("/"), `${code} has a place`)
  }
  assert.deepEqual(compile(source, options), result, "compiling is deterministic")
  if (chart !== null) assert.deepEqual(JSON.parse(JSON.stringify(chart)), chart, "a chart is JSON")
  return result
}

/** Checks that a valid config compiles, and that its text compiles to the same chart. */
export async function compiles(
  tale: Tale,
  form: (typeof forms)[number],
  coverage: Coverage,
): Promise<void> {
  const { dialect, maxRegions } = tale
  const config = inForm(tale, form)
  const { chart, diagnostics } = compiled(config, { dialect, maxRegions })
  assert.ok(
    chart !== null,
    diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message)
      .join("\n"),
  )
  for (const isYaml of form === "inline" ? [false, true] : [false]) {
    const read = compile(asText(config, isYaml), { dialect, maxRegions })
    assert.equal(
      read.chart?.fingerprint,
      chart.fingerprint,
      isYaml ? "the chart of the YAML text" : "the chart of the text",
    )
  }
  coverage.count(`form ${form}`)
  for (const type of new Set(Object.values(chart.agents).map((agent) => agent.type)))
    coverage.count(`chart with ${type}`)
}

export interface Breaking {
  readonly form: (typeof forms)[number]
  readonly damages: readonly Damage[]
  /** Changes of the text, which follow the damages. */
  readonly scratches: readonly Scratch[]
  readonly as: "object" | "json" | "yaml"
  readonly asks: boolean
}

/** Checks that a broken config causes diagnostics instead of a crash, and that a chart that still compiles ends in both interpreters. */
export async function breaks(
  tale: Tale,
  { form, damages, scratches, as, asks }: Breaking,
  coverage: Coverage,
): Promise<void> {
  const { dialect, maxRegions, scene } = tale
  const config = damaged(inForm(tale, form), damages)
  const options = { maxRegions, ...(asks ? { dialect } : {}) }
  const source = as === "object" ? config : scratched(asText(config, as === "yaml"), scratches)
  const { chart, diagnostics } = compiled(source, options)
  coverage.runs++
  coverage.count(chart === null ? "broken" : "still a chart")
  coverage.count(`given as ${as}`)
  for (const code of new Set(diagnostics.map((diagnostic) => diagnostic.code)))
    coverage.count(`diagnostic ${code}`)
  for (const { what } of damages) coverage.count(`damage ${what}`)
  if (chart === null) return
  const run = await playRun(chart, { ...scene, moves: [], mostCalls: 60 })
  assert.deepEqual(run.left, nothing)
  const actor = await playActor(chart, { ...scene, moves: [], mostCalls: 60 })
  assert.deepEqual(actor.left, nothing)
  assert.deepEqual(actor.result, run.result)
  coverage.count(`run ${run.result.status}`)
}
