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

describe("the SVG of a chart", () => {
  test("the SVG of a chart shows the names of agents, their icons, and conditions next to arrows", async () => {
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

  test("markup in a text is escaped in the SVG", async () => {
    const svg = await drawSvg(chart)
    expect(svg).toContain("&lt;b&gt;this&lt;/b&gt; &quot;fine&quot; &amp;")
    expect(svg).not.toContain("<b>")
  })

  test("a chart that was stored and loaded again results in the same SVG", async () => {
    expect(await drawSvg(JSON.parse(JSON.stringify(chart)) as AgentChart)).toBe(
      await drawSvg(chart),
    )
  })

  test("drawSvg reports the share of levels that are finished", async () => {
    const shares: number[] = []
    await drawSvg(chart, { onProgress: (done) => shares.push(done) })
    expect(shares.length).toBeGreaterThan(1)
    expect(shares).toEqual(shares.map((_, index) => (index + 1) / shares.length))
  })

  test("the SVG contains colors for light and dark mode, unless the option theme selects one", async () => {
    expect(await drawSvg(chart)).toContain("@media (prefers-color-scheme:dark)")
    const [light, dark] = [
      await drawSvg(chart, { theme: "light" }),
      await drawSvg(chart, { theme: "dark" }),
    ]
    for (const svg of [light, dark]) expect(svg).not.toMatch(/@media|var\(/)
    expect(light).toContain(".page{fill:#ffffff}")
    expect(dark).toContain(".page{fill:#0d1117}")
  })

  test("the SVG of an example runs no scripts and loads no other files", async () => {
    for (const { chart: each } of examples) {
      const svg = await drawSvg(each as AgentChart)
      expect(svg).not.toMatch(
        /<(script|image|foreignObject|use|a)\b|\son\w+=|url\((?!#)|@import|href=/,
      )
    }
  })

  test.each(readdirSync(samples))("the SVG of the sample %s is well formed", async (name) => {
    const { chart: sample } = compile(readFileSync(`${samples}${name}/config.json`, "utf8"))
    expect(readXml(await drawSvg(sample as AgentChart, { detail: "all" })).name).toBe("svg")
  })

  test("the SVG is well formed for any prompt and any name of an agent", async () => {
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

describe("line breaks in texts", () => {
  const frame = { size: 12, maxWidth: 120, maxLines: 3 }

  test("no line of any text exceeds the maximum width", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const { lines } = wrapText(text, frame)
        expect(lines.length).toBeLessThanOrEqual(3)
        for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(120)
      }),
    )
  })

  test("a text is broken between words, and a long word is broken after a punctuation mark", () => {
    expect(wrapText("the budget of the trip is checked", frame).lines).toEqual([
      "the budget of the",
      "trip is checked",
    ])
    expect(wrapText("quality_of_the_answer_that_was_given", frame).lines.slice(0, 1)).toEqual([
      expect.stringMatching(/_$/),
    ])
  })

  test("a text that does not fit ends with an ellipsis, and `whole` contains the full text", () => {
    const { lines, whole } = wrapText("word ".repeat(60), frame)
    expect(lines.at(-1)).toMatch(/…$/)
    expect(whole).toBe("word ".repeat(60).trim())
  })
})

test("drawPicture returns nested states and the arrows between them", () => {
  const { root, tools } = drawPicture(
    chartOf([sequence("all", ["one", "two"]), llm("one"), llm("two")]),
  )
  expect(tools).toEqual([])
  expect(root.states[0]?.regions[0]?.states.map(({ title }) => title)).toEqual(["one", "two"])
  expect(root.states[0]?.regions[0]?.arrows).toContainEqual({ from: "one", to: "two", labels: [] })
})
