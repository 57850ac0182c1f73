import { describe, expect, test } from "vitest"
import { interpreters, chartOf, play } from "../support/in-both-interpreters.js"
import type { ModelService } from "../../src/machines/contract/services.js"

const team = {
  name: "team",
  agentClass: "SequentialAgent",
  subAgents: [
    { name: "first", agentClass: "LlmAgent", instruction: "Begin." },
    { name: "second", agentClass: "LlmAgent", instruction: "End.", model: "large" },
  ],
}

/** A model that responds with the name under which it was called. */
const echo: ModelService = { call: async ({ model }) => ({ content: `asked as ${model}` }) }

describe.each(interpreters)("defaultModel of a runner (%s)", (interpreter) => {
  test("the default model serves agents that neither have nor inherit a model", async () => {
    const { rested, events } = await play(interpreter, chartOf(team), {
      models: { small: echo, large: echo },
      defaultModel: "small",
    })
    expect(rested.status).toBe("completed")
    expect(
      events.flatMap((event) =>
        event.type === "model.responded" ? [[event.agent, event.answer.content]] : [],
      ),
    ).toEqual([
      ["first", "asked as small"],
      ["second", "asked as large"],
    ])
  })

  test("a run fails if the default model is not registered in the runner", async () => {
    const { rested } = await play(interpreter, chartOf(team), {
      models: { large: echo, small: echo },
      defaultModel: "smal",
    })
    expect(rested).toMatchObject({
      status: "failed",
      error: {
        code: "service_missing",
        message:
          'services are missing: agent "first" needs the default model "smal", which is not registered in "models" of the runner (did you mean "small"?). Register them in the options of createRunner or toMachine: { models: { "smal": openAiModel({ baseUrl }) } }',
      },
    })
  })

  test("the error for an agent without a model suggests setting defaultModel", async () => {
    const { rested } = await play(interpreter, chartOf(team), { models: { large: echo } })
    expect(rested).toMatchObject({
      status: "failed",
      error: { code: "service_missing", message: expect.stringContaining('"defaultModel"') },
    })
  })
})
