import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/index.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, parallel, sequence } from "../support/workflow.js"

const answers = () =>
  scriptedServices({
    first: [{ content: "one" }],
    second: [{ content: "two" }],
    third: [{ content: "three" }],
  })

const called = ({ events }: { readonly events: readonly { readonly type: string }[] }): number =>
  events.filter(({ type }) => type === "model.called").length

describe("a model call that exceeds a limit", () => {
  test.each([
    ["in a sequence", sequence("all", ["first", "second", "third"])],
    ["in a parallel block", parallel("all", ["first", "second", "third"])],
  ])(
    "a model call that maxModelCalls refuses is neither in the events nor in the usage, %s",
    async (_, root) => {
      const chart: AgentChart = chartOf([root, llm("first"), llm("second"), llm("third")], {
        maxModelCalls: 2,
      })
      const played = await playBoth(chart, answers)
      expect(played.result).toMatchObject({ status: "limit", usage: { modelCalls: 2 } })
      expect(called(played)).toBe(2)
      await resumeEverywhere(played, answers)
    },
  )

  test("a model call that a budget refuses is neither in the events nor in the usage", async () => {
    const chart = chartOf([sequence("all", ["first", "second"]), llm("first"), llm("second")], {
      budget: { maxModelCalls: 1 },
    })
    const played = await playBoth(chart, answers)
    expect(played.result).toMatchObject({ status: "limit", usage: { modelCalls: 1 } })
    expect(called(played)).toBe(1)
  })
})
