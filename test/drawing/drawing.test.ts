import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid } from "../../src/drawing/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"

const folder = fileURLToPath(new URL("samples/", import.meta.url))

function chartOf(sample: string): AgentChart {
  const { chart } = compile(readFileSync(`${folder}${sample}/config.json`, "utf8"))
  if (chart === null) throw new Error(`${sample} does not compile`)
  return chart
}

/** Returns a chart in which one text was replaced, as if its JSON had been edited. */
const edited = (chart: AgentChart, from: string, to: string): AgentChart =>
  JSON.parse(JSON.stringify(chart).replaceAll(from, to)) as AgentChart

describe("the drawing of an edited chart", () => {
  test("an arrow leads to the edited target of its transition", () => {
    const text = drawMermaid(
      edited(
        chartOf("loop"),
        '"target":"#quality.quality.reviewer"',
        '"target":"#quality.quality.checking"',
      ),
    )
    expect(text).toContain("writer --> checking")
    expect(text).not.toContain("writer --> reviewer")
  })

  test("an arrow shows the edited guard of its transition", () => {
    expect(drawMermaid(edited(chartOf("loop"), '"maximumReached"', '"moonIsFull"'))).toContain(
      "or moon is full",
    )
  })

  test("a transition to the final state of its container is drawn as an arrow to the end", () => {
    const text = drawMermaid(
      edited(chartOf("regions"), '"target":"#trip.trip.write"', '"target":"#trip.done"'),
    )
    expect(text).toMatch(/research --> \[\*\]/)
  })
})

describe("text that Mermaid could misinterpret", () => {
  const everything = readdirSync(folder).flatMap((name) => [
    drawMermaid(chartOf(name)),
    drawMermaid(chartOf(name), { detail: "all" }),
  ])

  test("every state is declared once, before the arrows that name it", () => {
    for (const text of everything) {
      const lines = text.split("\n")
      const declared = new Map(
        lines.flatMap((line, index) =>
          [...line.matchAll(/(?:" as |state )(\w+)(?: \{| <<choice>>|)$/g)].map(
            (match) => [match[1] ?? "", index] as const,
          ),
        ),
      )
      const ids = lines.flatMap((line) =>
        [...line.matchAll(/(?:" as |state )(\w+)(?: \{| <<choice>>|)$/g)].map((match) => match[1]),
      )
      expect(new Set(ids).size).toBe(ids.length)
      for (const [index, line] of lines.entries()) {
        const arrow = /^\s*(\S+) --> (\S+)/.exec(line)
        for (const end of arrow?.slice(1) ?? [])
          if (end !== "[*]") expect(declared.get(end), end).toBeLessThan(index)
      }
    }
  })

  test("labels contain no characters with a special meaning in Mermaid", () => {
    for (const text of everything) {
      for (const line of text.split("\n").filter((each) => / : |^\s*state "/.test(each))) {
        const label = line
          .replace(/^\s*state "(.*)" as \w+( \{)?$/, "$1")
          .replace(/^.*? : /, "")
          .replaceAll("<br/>", "")
        expect(label.replace(/#\d+;/g, "")).not.toMatch(/[":;#{}<>[\]%*`\\~|&]/)
      }
    }
  })

  test("long conditions are shortened", () => {
    expect(drawMermaid(chartOf("special-characters"))).toMatch(/k0.*…/)
  })

  test("ids differ from the keywords of Mermaid and from the ids that Mermaid generates", () => {
    expect(drawMermaid(chartOf("special-characters"))).toMatch(
      /state "end \(sequence\)" as end_ \{/,
    )
    expect(drawMermaid(chartOf("special-characters"))).toContain(
      'state "root_start" as root_start_',
    )
  })
})

describe("a machine that invokes itself", () => {
  test("a machine that invokes itself is not drawn inside itself", () => {
    const chart = chartOf("fan")
    const loops = edited(chart, '"src":"llmAgent"', `"src":"${chart.root}"`)
    expect(drawMermaid(loops).length).toBeLessThan(5000)
  })
})
