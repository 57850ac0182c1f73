import { describe, expect, test } from "vitest"
import type { Plugin } from "../../src/runtime/host/host-service.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"

const chart = (plugins: readonly unknown[], fields: object = {}) =>
  chartOf({
    rootAgentId: "line",
    initialUserInput: "go",
    agents: [
      { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "clerk" }] },
      {
        type: "LlmAgent",
        id: "clerk",
        model: "any",
        instruction: "Work.",
        tools: ["pay"],
        ...fields,
      },
    ],
    globalTools: [{ type: "FunctionTool", id: "pay" }],
    plugins,
  })

const pay = () => ({ paid: true })

describe.each(interpreters)("a plugin that is registered with the runner (%s)", (interpreter) => {
  test.each([["audit"], [{ name: "audit" }], [{ type: "my.Audit", name: "audit" }]])(
    "a plugin that is configured as %j is called for each hook that it implements",
    async (named) => {
      const log: string[] = []
      const note: Plugin["beforeAgent"] = ({ agent }, input) =>
        void log.push(`${(input as { hook: string }).hook} ${agent}`)
      const audit: Plugin = {
        beforeAgent: note,
        afterAgent: note,
        beforeModel: note,
        afterTool: note,
      }
      const { models } = scriptedModel({ clerk: [calls("pay"), { content: "paid" }] })
      const { rested } = await play(interpreter, chart([named]), {
        models,
        services: { audit, pay },
      })
      expect(rested).toMatchObject({ status: "completed", text: "paid" })
      expect(log).toEqual([
        "beforeAgent line",
        "beforeAgent clerk",
        "beforeModel clerk",
        "afterTool clerk",
        "beforeModel clerk",
        "afterAgent clerk",
        "afterAgent line",
      ])
    },
  )

  test("a plugin can deny tool calls, and its hooks are called before the agent's callbacks", async () => {
    const rules: Plugin = {
      policy: () => ({ outcome: "DENY", reason: "not on Sundays" }),
      afterModel: () => undefined,
    }
    const { asked, models } = scriptedModel({ clerk: [calls("pay"), { content: "no" }] })
    await play(interpreter, chart(["rules"]), { models, services: { rules, pay } })
    expect(toldByTools(asked)).toEqual({ error: "the call is denied: not on Sundays" })

    const first: Plugin = { beforeModel: () => ({ content: "from the plugin" }) }
    const { rested } = await play(interpreter, chart(["first"], { beforeModelCallback: "own" }), {
      models,
      services: { first, own: () => ({ content: "own" }), pay },
    })
    expect(rested.text).toBe("from the plugin")
  })

  test("a run fails before its first model call if a plugin is missing or is a toolset", async () => {
    const { asked, models } = scriptedModel({ clerk: [{ content: "never" }] })
    const missing = await play(interpreter, chart(["audit"]), { models, services: { pay } })
    expect(missing.rested).toMatchObject({
      status: "failed",
      error: {
        code: "service_missing",
        message: expect.stringContaining('needs the service "audit"'),
      },
    })
    const toolset = { list: () => [], call: () => null }
    const wrong = await play(interpreter, chart(["audit"]), {
      models,
      services: { pay, audit: toolset },
    })
    expect(wrong.rested.error?.message).toMatch(
      /needs "audit" as a plugin, but the service registered under this name is a toolset/,
    )
    expect(asked).toEqual([])
  })
})

test("a chart declares its plugins as services of the kind plugin", () => {
  expect(chart(["audit"]).services).toMatchObject({ audit: { kind: "plugin", usedBy: "line" } })
  expect(chart([{ name: "audit", beforeModelCallback: "audit" }]).services).toMatchObject({
    audit: { kind: "callback", usedBy: "clerk" },
  })
})
