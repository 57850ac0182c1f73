import { expect, test } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { drawMermaid, drawSvg } from "../../src/drawing/index.js"
import { examplesFolder } from "../examples/example-folder.js"

const chart = JSON.parse(
  readFileSync(join(examplesFolder, "newsletter", "chart.json"), "utf8"),
) as AgentChart

test("the drawing of an agent that calls a workflow of the chart contains this workflow", async () => {
  const mermaid = drawMermaid(chart)
  expect(mermaid).toContain('state "research (calls workflow .#47;research.json, writes facts)"')
  expect(mermaid).toMatch(/searcher --> editor\n\s+editor --> summarizer/)
  const svg = await drawSvg(chart)
  expect(svg).toContain('data-agents="research"')
  // The events of the run do not contain the agents of the child run.
  expect(svg).not.toContain('data-agents="searcher"')
})

test("a workflow that is called by name is not drawn", () => {
  const { workflows: _workflows, ...byName } = chart
  expect(drawMermaid(byName)).toContain("research : calls workflow .#47;research.json")
})
