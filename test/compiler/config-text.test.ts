import { describe, expect, test } from "vitest"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { llmAgent, workflow } from "./example-configs.js"

const places = (text: string) =>
  readWorkflow(text).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)

describe("the text of a config", () => {
  test("a byte order mark at the start of a config is accepted and not counted as a column", () => {
    expect(
      readWorkflow(`\uFEFF${JSON.stringify(workflow([llmAgent("writer")]))}`).diagnostics,
    ).toEqual([])
    expect(places("\uFEFF[]")).toEqual(["config_shape 1:1"])
  })

  test.each([
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["CR", "\r"],
  ])("diagnostics have the correct line and column if lines end with %s", (_, end) => {
    expect(places(['{"rootAgentId": "x",', '  "agents": 5,', '\t"state": []}'].join(end))).toEqual([
      "wrong_type 2:13",
      "wrong_type 3:11",
    ])
  })

  test("diagnostics have the correct line and column for keys with escapes", () => {
    const text =
      '{"rootAgentId": "w", "agents": [{"type": "LlmAgent", "id": "w", "a/b~c\\u0020": 1,\n"httpConfig": {"url": "", "method": "POST"}}]}'
    const { diagnostics } = readWorkflow(text)
    expect(diagnostics.map(({ pointer, line, column }) => [pointer, line, column])).toEqual([
      ["/agents/0/httpConfig/url", 2, 23],
      ["/agents/0/a~1b~0c ", 1, 65],
    ])
  })

  test("repeated keys in different objects, and colons and brackets in strings, are accepted", () => {
    const config = workflow([llmAgent("one", { instructions: 'a: "b": {[ \\" : \\\\' })])
    expect(readWorkflow(JSON.stringify(config)).diagnostics).toEqual([])
  })

  test("a problem of the whole workflow is reported with the name of the file", () => {
    expect(readWorkflow('{"agents": []}', { file: "flow.json" }).diagnostics[0]?.message).toBe(
      '"rootAgentId" of the workflow in flow.json is missing.',
    )
  })

  test("a config has the same diagnostics as text and as an object, except for lines and columns", () => {
    const config = workflow(
      [llmAgent("writer", { outputkey: "x", tools: ["a", 1], httpConfig: {} })],
      { state: [], agnets: 1 },
    )
    const ofText = readWorkflow(JSON.stringify(config)).diagnostics
    expect(
      ofText.map((diagnostic) => ({ ...diagnostic, line: undefined, column: undefined })),
    ).toEqual(readWorkflow(config).diagnostics)
  })
})
