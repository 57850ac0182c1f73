import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import { httpTool, human, llm, sequence } from "../support/workflow.js"

const workflow = (boss: object, tool: object = {}, writer: object = {}): object => ({
  rootAgentId: "all",
  agents: [
    sequence("all", ["boss", "writer"]),
    human("boss", { ...boss }),
    llm("writer", { tools: ["search"], ...writer }),
  ],
  globalTools: [httpTool("search", { ...tool })],
})

test("the chart contains onExpiry only where the config defines it", () => {
  const { chart } = compile(
    workflow(
      { expiresIn: "1h", onExpiry: "continue" },
      { expiresIn: "2h", onExpiry: "fail" },
      { expiresIn: "3h" },
    ),
  )
  expect(chart?.agents["boss"]).toMatchObject({ expiresInMs: 3_600_000, onExpiry: "continue" })
  expect(chart?.tools["search"]).toMatchObject({ expiresInMs: 7_200_000, onExpiry: "fail" })
  expect(chart?.agents["writer"]).toMatchObject({ expiresInMs: 10_800_000 })
  expect(chart?.agents["writer"]).not.toHaveProperty("onExpiry")
})

test("the chart contains onExpiry in the adk dialect and for function tools", () => {
  const config = {
    dialect: "adk",
    rootAgentId: "a",
    agents: [
      {
        type: "LlmAgent",
        id: "a",
        model: "m",
        tools: ["count"],
        expires_in: "1h",
        on_expiry: "fail",
      },
    ],
    globalTools: [
      {
        type: "FunctionTool",
        id: "count",
        requireConfirmation: true,
        expiresIn: "1m",
        onExpiry: "fail",
      },
    ],
  }
  const { chart } = compile(config)
  expect(chart?.agents["a"]).toMatchObject({ onExpiry: "fail" })
  expect(chart?.tools["count"]).toMatchObject({ expiresInMs: 60_000, onExpiry: "fail" })
})

describe("invalid values of expiresIn and onExpiry", () => {
  test.each([
    [workflow({ expiresIn: "1h", onExpiry: "ignore" }), "boss", "onExpiry", "/agents/1/onExpiry"],
    [workflow({ expiresIn: "soon" }), "boss", "expiresIn", "/agents/1/expiresIn"],
    [workflow({}, { onExpiry: 3 }), "search", "onExpiry", "/globalTools/0/onExpiry"],
  ])(
    "an invalid value is an error that names the agent or tool and the field: case %#",
    (config, id, field, pointer) => {
      const [only, ...others] = compile(config).diagnostics.filter(
        ({ severity }) => severity === "error",
      )
      expect(others).toEqual([])
      expect(only).toMatchObject({ pointer })
      expect(only?.message).toContain(id)
      expect(only?.message).toContain(field)
    },
  )
})
