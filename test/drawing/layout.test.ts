import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { drawSvg } from "../../src/drawing/index.js"
import { attachTools } from "../../src/drawing/picture/attach-tools.js"
import { foldPicture, readable } from "../../src/drawing/picture/fold-picture.js"
import type { Arrow, ArrowKind, Level, PictureState } from "../../src/drawing/picture/picture.js"
import { readPicture } from "../../src/drawing/chart/read-picture.js"
import { layOutGraph } from "../../src/drawing/layout/layout-engine.js"
import { layOut } from "../../src/drawing/layout/lay-out.js"
import type { AgentChart } from "../../src/machines/index.js"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { chartOf, llm, parallel, sequence } from "../support/workflow.js"
import { misplaced } from "./geometry.js"
import { randomCases } from "../support/random-cases.js"

const engine = layOutGraph
const directions = ["down", "right"] as const

async function problemsOf(chart: AgentChart): Promise<readonly string[]> {
  const pictures = [readPicture(chart, "tools", true), readPicture(chart, "all", true)]
  const shown = [...pictures, ...pictures.map((picture) => foldPicture(picture, readable))].map(
    attachTools,
  )
  const drawn = await Promise.all(
    shown.flatMap((picture) => directions.map((direction) => layOut(picture, engine, direction))),
  )
  return drawn.flatMap(misplaced)
}

describe("positions of states and labels", () => {
  test("states and labels do not overlap in random workflows, and stay inside their containers", async () => {
    await fc.assert(
      fc.asyncProperty(scriptedWorkflow, async ({ agents, fields }) => {
        const { chart } = compile({ rootAgentId: "a0", agents, initialUserInput: "go", ...fields })
        if (chart !== null) expect(await problemsOf(chart)).toEqual([])
      }),
      { numRuns: randomCases(30) },
    )
  })

  test("states and labels do not overlap in random graphs, and stay inside their containers", async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (chart) => {
        expect(await problemsOf(chart)).toEqual([])
      }),
      { numRuns: randomCases(40) },
    )
  })

  test("states and labels do not overlap in pictures with random texts and arrows", async () => {
    await fc.assert(
      fc.asyncProperty(level(3), async (root) => {
        const picture = { root: named(root), tools: [] }
        for (const direction of directions)
          expect(misplaced(await layOut(picture, engine, direction))).toEqual([])
      }),
      { numRuns: randomCases(120) },
    )
  })
})

const graph: fc.Arbitrary<AgentChart> = fc
  .array(
    fc.tuple(
      fc.nat(12),
      fc.nat(12),
      fc.option(fc.constantFrom("yes", "no", "a route with a longer name"), { freq: 2 }),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((pairs) => {
    const ids = [...new Set([0, ...pairs.flatMap(([from, to]) => [from, to])])]
    const agents = ids.map((id) =>
      id % 4 === 3
        ? { type: "FunctionNode", name: `n${id}`, service: "count" }
        : { type: "LlmAgent", name: `n${id}`, model: "m", instruction: "i" },
    )
    const edges = [
      ...ids.map((id) => ["START", `n${id}`]),
      ...pairs
        .filter(([from, to]) => from !== to)
        .map(([from, to, route]) => ({
          from: `n${from}`,
          to: `n${to}`,
          ...(route === null ? {} : { route }),
        })),
    ]
    const { chart } = compile(
      {
        rootAgentId: "graph",
        agents: [{ type: "Workflow", name: "graph", edges, maxIterations: 3 }, ...agents],
        initialUserInput: "go",
      },
      { dialect: "adk" },
    )
    return chart
  })
  .filter((chart) => chart !== null)

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.lorem({ maxCount: 20 }),
  fc.constant("W".repeat(300)),
  fc.constant("世界 🚀".repeat(30)),
)

const look = fc.constantFrom<PictureState["look"]>(
  "LlmAgent",
  "HumanAgent",
  "SequentialAgent",
  "choice",
  "team",
  "ending",
)

/** A picture whose states have no ids yet. Its arrows refer to states by index. */
interface Sketch {
  readonly states: readonly {
    readonly look: PictureState["look"]
    readonly title: string
    readonly lines: readonly string[]
    readonly regions: readonly Sketch[]
  }[]
  readonly arrows: readonly {
    readonly from: number | null
    readonly to: number | null
    readonly labels: readonly string[]
    readonly kind: ArrowKind | undefined
  }[]
}

const level = (depth: number): fc.Arbitrary<Sketch> =>
  fc.record({
    states: fc.array(
      fc.record({
        look,
        title: text,
        lines: fc.array(text, { maxLength: 3 }),
        regions:
          depth === 0
            ? fc.constant([])
            : fc.oneof(
                { weight: 2, arbitrary: fc.constant([]) },
                { weight: 1, arbitrary: fc.array(level(depth - 1), { maxLength: 3 }) },
              ),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    arrows: fc.array(
      fc.record({
        from: fc.option(fc.nat(9), { freq: 4 }),
        to: fc.option(fc.nat(9), { freq: 4 }),
        labels: fc.array(text, { maxLength: 6 }),
        kind: fc.option(fc.constantFrom("handoff", "failure", "tool"), {
          nil: undefined,
          freq: 3,
        }),
      }),
      { maxLength: 10 },
    ),
  })

function named(sketch: Sketch): Level {
  let count = 0
  const name = ({ states, arrows }: Sketch): Level => {
    const drawn = states.map((state): PictureState => ({
      ...state,
      id: `s${count++}`,
      regions: state.look === "choice" ? [] : state.regions.map(name),
    }))
    const idOf = (index: number | null): string | null =>
      index === null ? null : (drawn[index % drawn.length]?.id ?? null)
    return {
      states: drawn,
      arrows: arrows.map(({ from, to, labels, kind }): Arrow => ({
        from: idOf(from),
        to: idOf(to),
        labels,
        ...(kind === undefined ? {} : { kind }),
      })),
    }
  }
  return name(sketch)
}

test("`misplaced` reports states that overlap and states that leave the page", async () => {
  const placed = await layOut(
    readPicture(chartOf([sequence("all", ["a", "b"]), llm("a"), llm("b")]), "tools"),
    engine,
  )
  const squeezed = JSON.parse(JSON.stringify(placed), (key, value: unknown) =>
    key === "y" ? 0 : value,
  ) as typeof placed
  expect(misplaced(squeezed)).toEqual(expect.arrayContaining(["a overlaps b"]))
  expect(misplaced({ ...placed, width: 50 })).toEqual(
    expect.arrayContaining([expect.stringMatching(/leaves the page/)]),
  )
})

describe("charts that are too large for one picture", () => {
  const wide = (count: number): AgentChart =>
    chartOf([
      sequence(
        "all",
        Array.from({ length: count }, (_, index) => `a${index}`),
      ),
      ...Array.from({ length: count }, (_, index) => llm(`a${index}`)),
    ])

  test("the picture of a long sequence shows its first and last agents", async () => {
    const svg = await drawSvg(wide(60))
    for (const shown of [">a0<", ">a8<", ">a58<", ">a59<", ">49 more<", ">49 agents<"])
      expect(svg).toContain(shown)
    expect(svg).not.toContain(">a30<")
  })

  test("the option expand draws all agents of a long sequence", async () => {
    const svg = await drawSvg(wide(60), { expand: true })
    expect(svg).toContain(">a30<")
    expect(svg).not.toContain("more<")
  })

  test("the picture of a wide parallel block contains the number of hidden branches", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `b${index}`)
    const chart = chartOf([parallel("fan", ids), ...ids.map((id) => llm(id))])
    expect(await drawSvg(chart)).toContain(">29 more branches<")
    expect(await drawSvg(chart, { expand: true })).toContain(">b39<")
  })

  test("if all agents of a large team can transfer to each other, a text replaces the arrows", async () => {
    const members = Array.from({ length: 30 }, (_, index) => llm(`m${index}`))
    for (const expand of [false, true])
      expect(await drawSvg(chartOf([llm("desk", { subAgents: members })]), { expand })).toMatch(
        />\d+ handoffs among its members</,
      )
  })

  test("the picture of three hundred agents in many groups shows about a hundred states", async () => {
    const groups = Array.from({ length: 30 }, (_, group) =>
      Array.from({ length: 10 }, (__, index) => `g${group}_${index}`),
    )
    const chart = chartOf([
      parallel(
        "all",
        groups.map((_, group) => `group${group}`),
      ),
      ...groups.map((ids, group) => sequence(`group${group}`, ids)),
      ...groups.flat().map((id) => llm(id)),
    ])
    const svg = await drawSvg(chart)
    expect(svg.match(/class="llm"/g)?.length).toBeLessThan(110)
    expect(svg).toMatch(/>\d+ agents</)
    expect(await problemsOf(chart)).toEqual([])
  })
})
