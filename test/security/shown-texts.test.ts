import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid, drawSvg, drawXstate } from "../../src/drawing/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { cli, folderWith, isBuilt } from "../cli/command.js"
import { readXml, type XmlElement } from "../drawing/read-xml.js"

/** Color codes, a window title, a bell, a carriage return, a C1 control sequence and a right-to-left override. */
const controls = "\u001b[31mred\u001b[0m\u001b]0;title\u0007\r\u009b2J\u202e"
// oxlint-disable-next-line no-control-regex
const isControl = /[\u001b\u0007\r\u009b\u202e]/

const agent = (id: string, instructions: string): object => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: "http://agents.test/writer", method: "POST" },
  instructions,
  activityConfig: { retryPolicy: { maximumAttempts: 1 } },
})

describe.skipIf(!isBuilt)("control characters in the output of commands", () => {
  const cwd = folderWith({})
  writeFileSync(
    join(cwd, "bad.json"),
    JSON.stringify({
      rootAgentId: `w${controls}`,
      agents: [
        { type: `LlmAgent${controls}`, id: `w${controls}` },
        { ...agent("x", ""), [controls]: 1, subAgents: [{ agentId: controls }] },
      ],
    }),
  )
  writeFileSync(
    join(cwd, "bad.yaml"),
    `name: a\nagent_class: LlmAgent\n"b\\e[31m": 1\nc: *d\u009b2J\n`,
  )
  writeFileSync(
    join(cwd, "ok.json"),
    JSON.stringify({ rootAgentId: "writer", agents: [agent("writer", controls)] }),
  )
  const { chart } = compile({ rootAgentId: "writer", agents: [agent("writer", "")] })
  writeFileSync(
    join(cwd, "chart.json"),
    JSON.stringify(chart).replaceAll('"writer"', JSON.stringify(`writer${controls}`)),
  )
  writeFileSync(
    join(cwd, "scenario.json"),
    JSON.stringify({ llm: { writer: [{ content: `said ${controls}`, exitFlow: true }] } }),
  )
  writeFileSync(
    join(cwd, "failing.json"),
    JSON.stringify({ llm: { writer: [{ status: 400, body: { error: controls } }] } }),
  )

  test.each([
    [["check", "bad.json"], 2],
    [["check", "bad.yaml"], 2],
    [["compile", "bad.json"], 2],
    [["run", "ok.json", "--scripted", "scenario.json", "--prompt", controls], 0],
    [["run", "ok.json", "--scripted", "failing.json", "--prompt", "x"], 1],
    [["run", "chart.json", "--scripted", "scenario.json", "--prompt", "x"], 1],
    [["run", `${controls}.json`], 2],
    [["runs", "show", `r${controls}`], 2],
  ] as const)("the output of %j contains no control characters", async (args, exit) => {
    const { code, stdout, stderr } = await cli(args, { cwd })
    expect(code).toBe(exit)
    expect(stdout + stderr).not.toBe("")
    expect(stdout).not.toMatch(isControl)
    expect(stderr).not.toMatch(isControl)
  })
})

describe("hostile text in drawings and exported source", () => {
  const hostile = `w"'\`*/ </script><script>alert(1)</script> \${process.exit(9)} ]]> --> %%{init}%% ; click w javascript:alert(1)\u2028process.exit(9)//\u2029\nprocess.exit(9)`
  const { chart } = compile({ rootAgentId: "writer", agents: [agent("writer", hostile)] })
  // The compiler accepts only plain ids, but anyone can write a chart file by hand.
  const drawn = JSON.parse(
    JSON.stringify({ ...chart, id: hostile }).replaceAll(
      '"agent":"writer"',
      `"agent":${JSON.stringify(hostile)}`,
    ),
  ) as AgentChart

  const elementsOf = (element: XmlElement): readonly XmlElement[] => [
    element,
    ...element.children.flatMap(elementsOf),
  ]

  test("an SVG contains no element or attribute that runs code or loads content", async () => {
    const elements = elementsOf(readXml(await drawSvg(drawn)))
    expect(elements.length).toBeGreaterThan(5)
    for (const { name, attributes } of elements) {
      expect(["script", "foreignObject", "image", "a", "iframe"]).not.toContain(name)
      for (const [key, value] of Object.entries(attributes)) {
        expect(key).not.toMatch(/^on|href/i)
        if (!key.startsWith("data-")) expect(value).not.toContain("javascript:")
      }
    }
  })

  test("hostile text adds no line to a Mermaid diagram", () => {
    const source = drawMermaid(drawn)
    expect(source).not.toMatch(/<|%%|^\s*click|[\u2028\u2029]/m)
  })

  test("hostile text adds no line and no code to TypeScript source", () => {
    const source = drawXstate(drawn)
    expect(source).toContain("process.exit")
    expect(source).not.toMatch(/[\u2028\u2029]/)
    // Without the title comment and the string literals, the source contains no part of the hostile text.
    const code = source
      .replace(/^\/\/ The statechart of .*$/m, "")
      .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    expect(code).not.toMatch(/process|alert|<script/)
  })
})
