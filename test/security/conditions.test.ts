import { describe, expect, test } from "vitest"
import { chartOf, interpreters, play } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"

/** A condition whose evaluation takes about 90,000 steps and returns false. */
const costly = "len([x for x in range(300) for y in range(300) if x > y and x < 0]) > 0"

const skipping = (count: number, when: string): object => {
  const ids = Array.from({ length: count }, (_, index) => `a${index}`)
  return {
    rootAgentId: "root",
    agents: [
      { id: "root", type: "SequentialAgent", subAgents: ids.map((agentId) => ({ agentId, when })) },
      ...ids.map((id) => ({
        id,
        type: "LlmAgent",
        httpConfig: { url: "http://host/", method: "POST" },
      })),
    ],
  }
}

describe.each(interpreters)("conditions that are evaluated for one event (%s)", (how) => {
  const outcome = async (count: number, when: string) => {
    const { http } = scriptedServices({})
    return JSON.stringify(await play(how, chartOf(skipping(count, when)), { http }))
  }

  test("a run fails if sixty costly conditions exceed their shared budget of steps", async () =>
    expect(await outcome(60, costly)).toContain("evaluated together exceed their limit of steps"))

  test("three costly conditions stay within their shared budget of steps", async () =>
    expect(await outcome(3, costly)).toContain('"status":"completed"'))

  test("a thousand ordinary conditions stay within their shared budget of steps", async () =>
    expect(await outcome(1000, "session_state.get('a', 0) > 1")).toContain('"status":"completed"'))

  test("four hundred conditions over a long list stay within their shared budget of steps", async () => {
    const config = {
      rootAgentId: "root",
      initialUserInput: "go",
      state: { scores: Array.from({ length: 2_000 }, (_, index) => index) },
      agents: [
        {
          type: "ParallelAgent",
          name: "root",
          forEach: { items: "list(range(400))", as: "item" },
          subAgents: [
            { agentId: "leaf", when: "any(score < 0 for score in session_state['scores'])" },
          ],
        },
        { type: "LlmAgent", name: "leaf", model: "m", instruction: "i" },
      ],
    }
    const models = { m: { call: async () => ({ content: "x" }) } }
    const { rested } = await play(how, chartOf(config), { models })
    expect(rested).toMatchObject({ status: "completed", usage: { modelCalls: 0 } })
  })
})
