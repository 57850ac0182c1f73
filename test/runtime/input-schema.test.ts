import { describe, expect, test } from "vitest"
import { chartOf, interpreters, play, scriptedModel } from "../support/in-both-interpreters.js"

const country = {
  type: "object",
  properties: { country: { type: "string" } },
  required: ["country"],
}

/** An agent whose input must be a country as JSON, with the given user input. */
const geographer = (initialUserInput?: string) =>
  chartOf({
    name: "geographer",
    model: "any",
    instruction: "Answer.",
    inputSchema: country,
    ...(initialUserInput !== undefined && { initialUserInput }),
  })

describe.each(interpreters)("the input schema of the root (%s)", (interpreter) => {
  test("an input that matches the schema is sent to the model unchanged", async () => {
    const { asked, models } = scriptedModel({ geographer: [{ content: "Lima" }] })
    const { rested } = await play(interpreter, geographer('{ "country": "Peru" }'), { models })
    expect(rested).toMatchObject({ status: "completed", text: "Lima" })
    expect(asked[0]?.messages.at(-1)).toEqual({ role: "user", content: '{ "country": "Peru" }' })
  })

  test.each([
    ['{ "country": 7 }', "/country"],
    ["Peru", "it is not JSON"],
  ])("the run fails before the model is called if the input is %s", async (said, why) => {
    const { asked, models } = scriptedModel({ geographer: [] })
    const { rested } = await play(interpreter, geographer(said), { models })
    expect(rested).toMatchObject({
      status: "failed",
      error: { code: "schema_violated", agent: "geographer" },
    })
    expect(rested.error?.message).toMatch(
      /input of agent "geographer" does not match its input schema/,
    )
    expect(rested.error?.message).toContain(why)
    expect(asked).toEqual([])
  })

  test("the input schema is not checked without a user message", async () => {
    const { models } = scriptedModel({ geographer: [{ content: "Which one?" }] })
    expect((await play(interpreter, geographer(), { models })).rested).toMatchObject({
      status: "completed",
      text: "Which one?",
    })
  })

  test("the input schema is checked again in the next invocation", async () => {
    const { models } = scriptedModel({ geographer: [{ content: "Lima" }] })
    const { controls } = await play(interpreter, geographer('{ "country": "Peru" }'), { models })
    controls.say("And Chile?")
    expect(await controls.whenSettled()).toMatchObject({
      status: "failed",
      error: { code: "schema_violated" },
    })
  })
})
