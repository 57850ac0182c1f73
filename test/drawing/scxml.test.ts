import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { drawScxml } from "../../src/drawing/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import { examples } from "../examples/example-folder.js"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import type { XmlElement } from "./read-xml.js"
import { elementsOf, readXml } from "./read-xml.js"
import { randomCases } from "../support/random-cases.js"

const samples = fileURLToPath(new URL("samples/", import.meta.url))

/** The child elements that each element may contain (W3C SCXML, sections 3 to 6), for the elements that charts use. */
const children: Readonly<Record<string, readonly string[]>> = {
  scxml: ["state", "parallel", "final"],
  state: ["onentry", "onexit", "transition", "state", "parallel", "final", "invoke"],
  parallel: ["onentry", "onexit", "transition", "state", "parallel", "invoke"],
  final: ["onentry", "onexit"],
  transition: ["script"],
  onentry: ["script"],
  onexit: ["script"],
  invoke: ["param", "content"],
  content: ["scxml"],
  script: [],
  param: [],
}

function problemsOf(source: string): readonly string[] {
  const root = readXml(source)
  const all = elementsOf(root)
  const ids = all.flatMap(({ attributes }) => attributes["id"] ?? [])
  const problems = ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `${id} stands twice`)
  const isState = new Set(
    all
      .filter(({ name }) => ["state", "parallel", "final"].includes(name))
      .flatMap(({ attributes }) => attributes["id"] ?? []),
  )
  for (const element of all) problems.push(...problemsIn(element, isState))
  for (const expression of all.flatMap(({ name, text, attributes }) =>
    name === "script" ? [text] : [attributes["cond"] ?? [], attributes["expr"] ?? []].flat(),
  )) {
    try {
      new Function(expression.startsWith("{") ? `return ${expression}` : expression)
    } catch {
      problems.push(`no ECMAScript: ${expression}`)
    }
  }
  return problems
}

function problemsIn(
  { name, attributes, children: inner }: XmlElement,
  states: ReadonlySet<string>,
): readonly string[] {
  const wrong = inner
    .filter((child) => !(children[name]?.includes(child.name) ?? false))
    .map((child) => `<${child.name}> in <${name}>`)
  const lost = ["target", "initial"].flatMap((reference) => {
    const to = attributes[reference]
    return to === undefined || states.has(to) ? [] : [`${reference} ${to} of <${name}> is nowhere`]
  })
  const isEmpty =
    name === "transition" &&
    ["event", "cond", "target"].every((each) => attributes[each] === undefined)
  return [...wrong, ...lost, ...(isEmpty ? ["a transition that says nothing"] : [])]
}

describe("the SCXML of a chart is well formed, its ids are unique, and its targets exist", () => {
  test.each(examples)("the SCXML of the example $name is valid", ({ chart }) =>
    expect(problemsOf(drawScxml(chart as AgentChart))).toEqual([]),
  )

  test.each(readdirSync(samples))("the SCXML of the sample %s is valid", (name) => {
    const { chart } = compile(readFileSync(`${samples}${name}/config.json`, "utf8"))
    expect(problemsOf(drawScxml(chart as AgentChart))).toEqual([])
  })

  test("the SCXML of random workflows is valid", () => {
    fc.assert(
      fc.property(scriptedWorkflow, ({ agents, fields }) => {
        const { chart } = compile({ rootAgentId: "a0", agents, initialUserInput: "go", ...fields })
        if (chart !== null) expect(problemsOf(drawScxml(chart))).toEqual([])
      }),
      { numRuns: randomCases(40) },
    )
  })

  test("a state names its agent, and its guards and actions are calls", () => {
    const loop = examples.find(({ name }) => name === "content-loop")
    const source = drawScxml(loop?.chart as AgentChart)
    expect(source).toContain("<!-- LoopAgent quality_loop; tags loop -->")
    expect(source).toContain('cond="exitConditionHolds({&quot;place&quot;:')
    expect(source).toMatch(
      /<transition event="done\.invoke\.\S+" cond="completed\(\)" target="quality_loop\.quality_loop\.reviewer_agent">/,
    )
    expect(source).toMatch(/<script>enterLoop\(/)
  })
})
