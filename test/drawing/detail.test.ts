import { describe, expect, test } from "vitest"
import { drawMermaid, drawPicture, drawSvg } from "../../src/drawing/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import { chartOf, llm, loop, parallel, sequence } from "../support/workflow.js"
import { elementsOf, readXml } from "./read-xml.js"

const textsOf = (svg: string): readonly string[] =>
  elementsOf(readXml(svg))
    .filter(({ name }) => name === "text")
    .map(({ text }) => text)

const rounds = chartOf([
  loop("rounds", ["writer"], 3, { loopExitCondition: "session_state.get('ok') == 'yes'" }),
  llm("writer", { outputKey: "draft" }),
])

describe("the detail level of a drawing", () => {
  test("the level `agents` shows conditions, but no models and no output keys", async () => {
    const texts = textsOf(await drawSvg(rounds, { detail: "agents" }))
    expect(texts).toContain("writer")
    expect(texts.join(" ")).toContain("exit when")
    expect(texts.join(" ")).not.toMatch(/LLM|writes draft/)
  })

  test("the level `statechart` shows events, guards, actions and invoked actors of all states", async () => {
    const texts = textsOf(await drawSvg(rounds, { detail: "statechart" })).join(" ")
    for (const shown of [
      "entry / enterLoop",
      "invoke llmAgent",
      "done [completed] / applyResult",
      "checkExitCondition(",
      "/ nextIteration",
      "failed",
    ])
      expect(texts).toContain(shown)
    // Mermaid draws the same states.
    expect(drawMermaid(rounds, { detail: "statechart" })).toContain("invoke llmAgent")
  })

  test("each detail level contains more than the previous level", () => {
    const sizes = (["agents", "tools", "all", "statechart"] as const).map(
      (detail) => JSON.stringify(drawPicture(rounds, { detail })).length,
    )
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))
    expect(new Set(sizes).size).toBe(4)
  })
})

test("a legend lists exactly the kinds of elements that the drawing contains", async () => {
  const plain = textsOf(await drawSvg(rounds))
  const legend = textsOf(await drawSvg(rounds, { legend: true })).filter(
    (text) => !plain.includes(text),
  )
  expect(legend).toEqual(["start", "loop", "LLM agent", "decision", "end"])
  const all = textsOf(await drawSvg(rounds, { legend: true, detail: "all" }))
  expect(all.filter((text) => text === "failure")).toHaveLength(1)
})

describe("the option `open`", () => {
  const groups = Array.from({ length: 30 }, (_, group) =>
    Array.from({ length: 10 }, (__, index) => `a${group}_${index}`),
  )
  const many: AgentChart = chartOf([
    sequence(
      "all",
      groups.map((_, group) => `g${group}`),
    ),
    ...groups.map((ids, group) =>
      group % 2 === 0 ? sequence(`g${group}`, ids) : parallel(`g${group}`, ids),
    ),
    ...groups.flat().map((id) => llm(id)),
  ])

  test("opening an agent expands only the states that contain it", async () => {
    expect(await drawSvg(many)).not.toContain(">a17_4<")
    const svg = await drawSvg(many, { open: ["a17_4"] })
    expect(svg).toContain('data-state="a17_4" data-agents="a17_4"')
    expect(svg).not.toContain(">a18_4<")
  })

  test("a folded state can be opened by its id in the drawing", async () => {
    const [, more] = /data-state="(\w+)" data-agents="[^"]*" data-folded="true"/.exec(
      await drawSvg(many),
    ) ?? [null, ""]
    expect(more).not.toBe("")
    const opened = await drawSvg(many, { open: [more] })
    expect(opened.length).toBeGreaterThan((await drawSvg(many)).length)
    expect(opened).not.toMatch(/>\d+ more</)
  })

  test("opening an agent shows its branch of a wide parallel block", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `b${index}`)
    const wide = chartOf([parallel("wide", ids), ...ids.map((id) => llm(id))])
    expect(await drawSvg(wide)).not.toContain(">b150<")
    expect(await drawSvg(wide, { open: ["b150"] })).toContain(">b150<")
  })
})
