import { expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { ModelService } from "../../src/machines/contract/services.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { usageByAgent } from "../../src/runtime/events/usage-by-agent.js"

test("usage is summed per agent and per run, across different models", async () => {
  const saying = (inputTokens: number): ModelService => ({
    call: async () => ({ content: "Yes.", usage: { inputTokens, outputTokens: 1 } }),
  })
  const { chart } = compile(
    {
      rootAgentId: "rounds",
      agents: [
        {
          type: "LoopAgent",
          name: "rounds",
          maxIterations: 2,
          subAgents: [{ agentId: "a" }, { agentId: "b" }],
        },
        { type: "LlmAgent", name: "a", model: "small" },
        { type: "LlmAgent", name: "b", model: "large" },
      ],
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error("the chart does not compile")
  const run = createRunner({ models: { small: saying(10), large: saying(1000) } }).start(chart, {
    prompt: "Go.",
  })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  expect((await run.result).usage).toEqual({
    modelCalls: 4,
    toolCalls: 0,
    inputTokens: 2020,
    outputTokens: 4,
  })
  expect(usageByAgent(events)).toEqual({
    a: { modelCalls: 2, toolCalls: 0, inputTokens: 20, outputTokens: 2 },
    b: { modelCalls: 2, toolCalls: 0, inputTokens: 2000, outputTokens: 2 },
  })
})
