import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { drawPicture, drawSvg } from "../../src/drawing/index.js"
import { textWidth } from "../../src/drawing/layout/text-width.js"
import { wrapText } from "../../src/drawing/layout/wrap-text.js"
import type { AgentChart } from "../../src/machines/index.js"
import { examples } from "../examples/example-folder.js"
import { chartOf, human, llm, loop, sequence } from "../support/workflow.js"
import { elementsOf, readXml } from "./read-xml.js"
import { randomCases } from "../support/random-cases.js"

const samples = fileURLToPath(new URL("samples/", import.meta.url))

const chart = chartOf([
  loop("rounds", ["writer", "boss"], 3, { loopExitCondition: "session_state.get('ok') == 'yes'" }),
  llm("writer"),
  human("boss", { prompt: 'Is <b>this</b> "fine" & done?' }),
])

describe("a chart as SVG", () => {
  test("shows agents by name, with icons, and conditions at the arrows", async () => {
    const svg = await drawSvg(chart)
    const texts = elementsOf(readXml(svg))
      .filter(({ name }) => name === "text")
      .map(({ text }) => text)
    for (const shown of [
      "rounds (loop)",
      "writer",
      "LLM",
      "boss",
      "human",
      "again",
      "or after 3 iterations",
    ])
      expect(texts).toContain(shown)
    expect(texts.join(" ")).toContain("exit when session_state.get('ok') == 'yes'")
    expect(svg.match(/class="icon"/g)).toHaveLength(3)
  })

  test("has what a text says as text, not as markup", async () => {
    const svg = await drawSvg(chart)
    expect(svg).toContain("&lt;b&gt;this&lt;/b&gt; &quot;fine&quot; &amp;")
    expect(svg).not.toContain("<b>")
  })

  test("is the same each time, also from a chart that was stored", async () => {
    expect(await drawSvg(JSON.parse(JSON.stringify(chart)) as AgentChart)).toBe(
      await drawSvg(chart),
    )
  })

  test("reports the share of the levels that are done", async () => {
    const shares: number[] = []
    await drawSvg(chart, { onProgress: (done) => shares.push(done) })
    expect(shares.length).toBeGreaterThan(1)
    expect(shares).toEqual(shares.map((_, index) => (index + 1) / shares.length))
  })

  test("has both sets of colors in one file, or one that is fixed", async () => {
    expect(await drawSvg(chart)).toContain("@media (prefers-color-scheme:dark)")
    const [light, dark] = [
      await drawSvg(chart, { theme: "light" }),
      await drawSvg(chart, { theme: "dark" }),
    ]
    for (const svg of [light, dark]) expect(svg).not.toMatch(/@media|var\(/)
    expect(light).toContain(".page{fill:#ffffff}")
    expect(dark).toContain(".page{fill:#0d1117}")
  })

  test("needs nothing from anywhere else, and runs nothing", async () => {
    for (const { chart: each } of examples) {
      const svg = await drawSvg(each as AgentChart)
      expect(svg).not.toMatch(
        /<(script|image|foreignObject|use|a)\b|\son\w+=|url\((?!#)|@import|href=/,
      )
    }
  })

  test.each(readdirSync(samples))("sample %s is well formed", async (name) => {
    const { chart: sample } = compile(readFileSync(`${samples}${name}/config.json`, "utf8"))
    expect(readXml(await drawSvg(sample as AgentChart, { detail: "all" })).name).toBe("svg")
  })

  test("whatever an agent is asked and however it is called, the file is well formed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 50 }),
        fc.string({ unit: "binary", maxLength: 20 }),
        async (prompt, name) => {
          const hostile = JSON.parse(
            JSON.stringify(chart)
              .replaceAll('"boss?"', JSON.stringify(prompt))
              .replaceAll('"writer_text"', JSON.stringify(name)),
          ) as AgentChart
          expect(readXml(await drawSvg(hostile)).name).toBe("svg")
        },
      ),
      { numRuns: randomCases(50) },
    )
  })
})

describe("text is broken into lines", () => {
  const frame = { size: 12, maxWidth: 120, maxLines: 3 }

  test("that are no wider than their room, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const { lines } = wrapText(text, frame)
        expect(lines.length).toBeLessThanOrEqual(3)
        for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(120)
      }),
    )
  })

  test("between words, and in a long one after a mark", () => {
    expect(wrapText("the budget of the trip is checked", frame).lines).toEqual([
      "the budget of the",
      "trip is checked",
    ])
    expect(wrapText("quality_of_the_answer_that_was_given", frame).lines.slice(0, 1)).toEqual([
      expect.stringMatching(/_$/),
    ])
  })

  test("and ends in an ellipsis where it does not fit; the tooltip has the whole", () => {
    const { lines, whole } = wrapText("word ".repeat(60), frame)
    expect(lines.at(-1)).toMatch(/…$/)
    expect(whole).toBe("word ".repeat(60).trim())
  })
})

test("the picture is JSON: states within states, and the arrows among them", () => {
  const { root, tools } = drawPicture(
    chartOf([sequence("all", ["one", "two"]), llm("one"), llm("two")]),
  )
  expect(tools).toEqual([])
  expect(root.states[0]?.regions[0]?.states.map(({ title }) => title)).toEqual(["one", "two"])
  expect(root.states[0]?.regions[0]?.arrows).toContainEqual({ from: "one", to: "two", labels: [] })
})
