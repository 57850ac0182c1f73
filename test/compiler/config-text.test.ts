import { describe, expect, test } from "vitest"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { llmAgent, workflow } from "./example-configs.js"

const places = (text: string) =>
  readWorkflow(text).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)

describe("the text of a config", () => {
  test("may start with a byte order mark, which counts for no column", () => {
    expect(
      readWorkflow(`\uFEFF${JSON.stringify(workflow([llmAgent("writer")]))}`).diagnostics,
    ).toEqual([])
    expect(places("\uFEFF[]")).toEqual(["config_shape 1:1"])
  })

  test.each([
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["CR", "\r"],
  ])("may end its lines with %s", (_, end) => {
    expect(places(['{"rootAgentId": "x",', '  "agents": 5,', '\t"state": []}'].join(end))).toEqual([
      "wrong_type 2:13",
      "wrong_type 3:11",
    ])
  })

  test("is placed by keys as they are, escapes included", () => {
    const text =
      '{"rootAgentId": "w", "agents": [{"type": "LlmAgent", "id": "w", "a/b~c\\u0020": 1,\n"httpConfig": {"url": "", "method": "POST"}}]}'
    const { diagnostics } = readWorkflow(text)
    expect(diagnostics.map(({ pointer, line, column }) => [pointer, line, column])).toEqual([
      ["/agents/0/httpConfig/url", 2, 23],
      ["/agents/0/a~1b~0c ", 1, 65],
    ])
  })

  test("may repeat a key in different objects, and colons and brackets in texts", () => {
    const config = workflow([llmAgent("one", { instructions: 'a: "b": {[ \\" : \\\\' })])
    expect(readWorkflow(JSON.stringify(config)).diagnostics).toEqual([])
  })

  test("is called by its name where the whole workflow is meant", () => {
    expect(readWorkflow('{"agents": []}', { file: "flow.json" }).diagnostics[0]?.message).toBe(
      '"rootAgentId" of the workflow in flow.json is missing.',
    )
  })

  test("gives the same diagnostics as the object, but for the places", () => {
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
