import { describe, expect, test } from "vitest"
import { chartOf, interpreters, play, scriptedModel } from "../support/in-both-interpreters.js"

describe.each(interpreters)(
  "the instruction of an agent of the adk dialect (%s)",
  (interpreter) => {
    test("renders a key whose value is null as empty text", async () => {
      const { asked, models } = scriptedModel({ guide: [{ content: "hi" }] })
      const chart = chartOf({
        rootAgentId: "guide",
        agents: [
          {
            type: "LlmAgent",
            name: "guide",
            model: "any",
            instruction: "[{nickname}|{nickname?}|{ nickname }|{user:nickname}|{record}]",
          },
        ],
        initialUserInput: "go",
        state: { nickname: null, "user:nickname": null, record: { age: null } },
      })
      const { rested } = await play(interpreter, chart, { models })
      expect(rested.status).toBe("completed")
      expect(asked[0]?.messages[0]).toMatchObject({
        content: expect.stringContaining('[||||{"age":null}]'),
      })
    })
  },
)
