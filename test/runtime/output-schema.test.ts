import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"

const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
}

const transfer = (to: string) => calls("transfer_to_agent", { agent_name: to })

/** A desk with two sub-agents, one of which has an output schema. */
const desk = (fields: object = {}) =>
  chartOf({
    name: "desk",
    model: "any",
    subAgents: [
      { name: "finder", outputSchema: city, outputKey: "place", ...fields },
      { name: "clerk" },
    ],
    initialUserInput: "Where?",
  })

describe.each(interpreters)("an agent with an output schema (%s)", (interpreter) => {
  test.each([
    ["by default", {}],
    [
      "even if the transfer flags are false",
      { disallowTransferToParent: false, disallowTransferToPeers: false },
    ],
  ])("has no transfer tool %s", async (_name, fields) => {
    const { asked, models } = scriptedModel({
      desk: [transfer("finder")],
      finder: [{ content: '{"city":"Oslo"}' }],
    })
    const { rested } = await play(interpreter, desk(fields), { models })
    expect(rested).toMatchObject({ status: "completed", state: { place: { city: "Oslo" } } })
    expect(asked.map(({ agent, tools }) => [agent, tools.length])).toEqual([
      ["desk", 1],
      ["finder", 0],
    ])
    expect(JSON.stringify(asked[1]?.messages)).not.toContain("transfer_to_agent with")
    expect(asked[1]).toMatchObject({ outputSchema: city })
  })

  test("does not stay active, so the next message goes to the previous agent", async () => {
    const { asked, models } = scriptedModel({
      desk: [transfer("finder"), { content: "Anything else?" }],
      finder: [{ content: '{"city":"Oslo"}' }],
    })
    const { controls } = await play(interpreter, desk(), { models })
    controls.say("Thanks.")
    await controls.whenSettled()
    expect(asked.map(({ agent }) => agent)).toEqual(["desk", "finder", "desk"])
  })

  test.each([
    ["empty", ""],
    ["blank", " \n"],
    ["null", null],
  ])(
    "can end with a final text that is %s, which is neither validated nor saved",
    async (_, content) => {
      const { models } = scriptedModel({ finder: [{ content }] })
      const chart = chartOf({
        name: "finder",
        model: "any",
        outputSchema: city,
        outputKey: "place",
        initialUserInput: "Where?",
      })
      const { rested } = await play(interpreter, chart, { models })
      expect(rested).toMatchObject({ status: "completed", text: content })
      expect(rested.state).not.toHaveProperty("place")
    },
  )

  test.each([
    [city, '{"city":"Oslo"}', { city: "Oslo" }],
    [{ type: "array" }, '["Oslo"]', { result: ["Oslo"] }],
    [city, "", { result: "" }],
  ])("returns its value as the target of an AgentTool (%j, %j)", async (schema, text, told) => {
    const { asked, models } = scriptedModel({
      desk: [calls("finder", { request: "Norway" }), { content: "done" }],
      finder: [{ content: text }],
    })
    const finder = { name: "finder", model: "any", outputSchema: schema }
    const chart = chartOf({
      name: "desk",
      model: "any",
      tools: [{ name: "AgentTool", args: { agent: finder } }],
      initialUserInput: "Where?",
    })
    const { rested } = await play(interpreter, chart, { models })
    expect(rested).toMatchObject({ status: "completed", text: "done" })
    expect(toldByTools(asked)).toEqual(told)
  })
})

test("sub-agents of an agent with an output schema are reported as unreachable", () => {
  const { diagnostics } = compile(
    {
      name: "finder",
      model: "any",
      outputSchema: city,
      structuredOutputWithTools: true,
      subAgents: [{ name: "clerk" }],
    },
    { dialect: "adk" },
  )
  expect(diagnostics).toMatchObject([{ code: "unreachable_agent", severity: "warning" }])
  expect(diagnostics[0]?.message).toContain("clerk")
})
