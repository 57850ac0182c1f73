import { createActor } from "xstate"
import { expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"

const at = (id: string) => ({ httpConfig: { url: `http://agents.test/${id}`, method: "POST" } })

function chartOf(agents: readonly object[]): AgentChart {
  const { chart, diagnostics } = compile({
    dialect: "adk",
    rootAgentId: "all",
    agents,
    initialUserInput: "go",
  })
  if (chart === null) throw new Error(JSON.stringify(diagnostics))
  return chart
}

const chart = chartOf([
  {
    type: "SequentialAgent",
    id: "all",
    subAgents: [{ agentId: "host" }, { agentId: "last" }],
    outputKey: "result",
  },
  { type: "CustomAgent", id: "host", service: "host", subAgents: [{ agentId: "guest" }] },
  { type: "LlmAgent", id: "guest", ...at("guest") },
  { type: "LlmAgent", id: "last", ...at("last") },
])

const services = (host: HostFunction) => ({
  ...scriptedServices({ guest: [{ content: "Hi" }], last: [{ content: "Bye" }] }),
  services: { host },
})

const answers: HostFunction = async (context) => {
  const { text } = await context.runAgent("guest")
  return { content: `It said ${text}.` }
}

test.each(["run", "actor"])(
  "the content that a CustomAgent returns is its text, which later agents receive (%s)",
  async (interpreter) => {
    const { modelCalls, ...given } = services(answers)
    const finished: unknown[] = []
    const hear = (event: { readonly type: string; readonly agent: string }): void => {
      if (event.type === "agent.finished" && event.agent === "host")
        finished.push("text" in event ? event.text : null)
    }
    if (interpreter === "run") {
      const run = createRunner(given).start(chart)
      run.events$.subscribe(hear)
      expect((await run.result).state["result"]).toBe("Bye")
    } else {
      const actor = createActor(toMachine(chart, { ...given, onEvent: hear }), { input: {} })
      const controls = controlActor(actor)
      actor.start()
      expect((await controls.whenSettled()).state["result"]).toBe("Bye")
    }
    expect(finished).toEqual(["It said Hi."])
    expect(modelCalls.at(-1)?.messages.map(({ content }) => content)).toContainEqual(
      "For context:\n[host] said: It said Hi.",
    )
  },
)

test("other return values of a CustomAgent are ignored, and its text is that of the last agent it ran", async () => {
  const run = createRunner(
    services(async (context) => (await context.runAgent("guest"), "done")),
  ).start(chart)
  const texts: (string | null)[] = []
  run.events$.subscribe((event) => {
    if (event.type === "agent.finished" && event.agent === "host") texts.push(event.text)
  })
  await run.result
  expect(texts).toEqual(["Hi"])
})
