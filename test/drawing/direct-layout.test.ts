import { describe, expect, test } from "vitest"
import { readPicture } from "../../src/drawing/chart/read-picture.js"
import { drawMermaid, drawSvg } from "../../src/drawing/index.js"
import type { PlacedLevel, PlacedPicture } from "../../src/drawing/layout/geometry.js"
import { layOut } from "../../src/drawing/layout/lay-out.js"
import type { LayoutEngine } from "../../src/drawing/layout/layout-engine.js"
import { attachTools } from "../../src/drawing/picture/attach-tools.js"
import type { AgentChart } from "../../src/machines/index.js"
import { agentTool, chartOf, llm, loop, sequence } from "../support/workflow.js"
import { elementsOf, readXml } from "./read-xml.js"

/** Rejects, so that a test fails if a level needs a layout engine. */
const noEngine: LayoutEngine = () => Promise.reject(new Error("the level is not laid out directly"))

const placed = (chart: AgentChart, direction: "down" | "right" = "down"): Promise<PlacedPicture> =>
  layOut(attachTools(readPicture(chart, "tools", true)), noEngine, direction)

const insideOf = ({ root }: PlacedPicture): PlacedLevel => {
  const [inside] = root.states[0]?.regions ?? []
  if (inside === undefined) throw new Error("the first state has no region")
  return inside
}

const steps = (count: number): AgentChart => {
  const ids = Array.from({ length: count }, (_, index) => `s${index}`)
  return chartOf([sequence("all", ids), ...ids.map((id) => llm(id))])
}

describe("a sequence", () => {
  test("the agents of a sequence are in one column or in one row", async () => {
    for (const [direction, across, along] of [
      ["down", "x", "y"],
      ["right", "y", "x"],
    ] as const) {
      const { states } = insideOf(await placed(steps(4), direction))
      const size = across === "x" ? "width" : "height"
      const centers = new Set(states.map((state) => state[across] + state[size] / 2))
      expect(centers.size).toBe(1)
      const places = states.map((state) => state[along])
      expect(places).toEqual(places.toSorted((one, other) => one - other))
    }
  })

  test("a sequence of many agents is arranged in columns, with an arrow from each column to the next", async () => {
    const { states, arrows, width, height } = insideOf(await placed(steps(40)))
    expect(new Set(states.map(({ x, width: own }) => x + own / 2)).size).toBeGreaterThan(2)
    expect(width / height).toBeGreaterThan(0.75)
    expect(width / height).toBeLessThan(3)
    expect(arrows.filter(({ points }) => points.length > 2)).toHaveLength(
      new Set(states.map(({ x, width: own }) => x + own / 2)).size - 1,
    )
  })
})

test("the states of a loop are on one line, and the back arrow ends at the top of the first state", async () => {
  const { states, arrows, marks } = insideOf(
    await placed(
      chartOf([
        loop("rounds", ["writer", "critic"], 3, {
          loopExitCondition: "session_state.get('ok') == 'yes'",
        }),
        llm("writer"),
        llm("critic"),
      ]),
    ),
  )
  const centers = [...states, ...marks].map(({ x, width }) => x + width / 2)
  expect(new Set(centers).size).toBe(1)
  const writer = states.find(({ id }) => id === "writer")
  const back = arrows.find(({ from, to }) => from !== null && to === "writer")
  expect(back?.points.at(-1)).toEqual({ x: centers[0], y: writer?.y })
  expect(Math.min(...(back?.points.map(({ x }) => x) ?? []))).toBeLessThan(writer?.x ?? 0)
})

describe("a team", () => {
  const team = chartOf([
    llm("desk", { subAgents: [llm("billing"), llm("technical"), llm("legal")] }),
  ])

  test("the handoffs of a team share one line, and no arrow crosses another state", async () => {
    const { states, arrows } = insideOf(await placed(team))
    const handoffs = arrows.filter(({ kind }) => kind === "handoff")
    expect(handoffs).toHaveLength(6)
    expect(handoffs.every(({ label }) => label === null)).toBe(true)
    const [desk, ...others] = states
    const bottom = (desk?.y ?? 0) + (desk?.height ?? 0)
    const shared = new Set(
      handoffs.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y > bottom),
    )
    // The shared line, and the upper edges of the other members.
    expect([...shared].sort((one, other) => one - other)[1]).toBe(others[0]?.y)
    expect(shared.size).toBe(2)
  })

  test("the handoffs of a team are pink, and each arrowhead has the color of its line", async () => {
    const svg = await drawSvg(team, { theme: "light" })
    const elements = elementsOf(readXml(svg))
    for (const [index, { name, attributes }] of elements.entries())
      if (name === "path" && (attributes["class"] ?? "").startsWith("wire"))
        expect(elements[index + 1]?.attributes["class"]).toBe("head")
    expect(svg).toContain(".of-handoff{stroke:#db2777}")
    expect(svg).toContain(".of-handoff+.head{fill:#db2777}")
  })
})

describe("an agent tool", () => {
  const tools = { globalTools: [agentTool("ask_expert", "expert")] }
  const asks = { tools: ["ask_expert"] }

  test("an agent tool is next to its caller, with a tool arrow between them", async () => {
    const chart = chartOf(
      [sequence("all", ["boss", "clerk"]), llm("boss", asks), llm("clerk"), llm("expert")],
      tools,
    )
    const picture = await placed(chart)
    expect(picture.tools).toEqual([])
    const { states, arrows } = insideOf(picture)
    const boss = states.find(({ id }) => id === "boss")
    const expert = states.find(({ look }) => look === "tool")
    const calls = arrows.filter(({ kind }) => kind === "tool")
    expect(calls.map(({ from, to }) => [from, to])).toEqual([["boss", expert?.id]])
    expect(calls[0]?.points[0]?.x).toBe((boss?.x ?? 0) + (boss?.width ?? 0))
    expect(calls[0]?.points[1]?.x).toBe(expert?.x)
    expect(await drawSvg(chart)).toContain('class="wire of-tool"')
  })

  test("an agent tool of two agents is on the level that contains both agents", () => {
    const { root, tools: unattached } = attachTools(
      readPicture(
        chartOf(
          [
            sequence("all", ["front", "back"]),
            sequence("front", ["one", "first"]),
            sequence("back", ["two", "last"]),
            llm("one", asks),
            llm("two", asks),
            llm("first"),
            llm("last"),
            llm("expert"),
          ],
          tools,
        ),
        "tools",
      ),
    )
    expect(unattached).toEqual([])
    const level = root.states[0]?.regions[0]
    const tool = level?.states.find(({ look }) => look === "tool")
    expect(level?.arrows.filter(({ to }) => to === tool?.id).map(({ from }) => from)).toEqual([
      "front",
      "back",
    ])
  })
})

test("exits, limits and failures are drawn differently", async () => {
  const svg = await drawSvg(steps(2), { detail: "all" })
  for (const [look, title] of [
    ["exit", "exited"],
    ["limit", "limited"],
    ["ending", "failed"],
  ])
    expect(svg).toMatch(new RegExp(`class="${look}"[^]*?>${title}<`))
  expect(svg).toContain('class="wire of-failure"')
})

test("the option `direction` makes Mermaid draw from left to right", () => {
  expect(drawMermaid(steps(2), { direction: "right" })).toContain("\n  direction LR\n")
  expect(drawMermaid(steps(2))).not.toContain("direction")
})
