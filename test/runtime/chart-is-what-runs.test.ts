import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { RunResult } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { Script } from "../support/scripted-services.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, loop, sequence } from "../support/workflow.js"

interface Followed {
  readonly result: RunResult
  readonly agents: readonly string[]
}

async function followedBy(
  interpreter: "run" | "actor",
  chart: AgentChart,
  script: Script,
): Promise<Followed> {
  const services = scriptedServices(script)
  if (interpreter === "run") {
    const result = await createRunner(services).start(chart).result
    return { result, agents: services.modelCalls.map(({ agent }) => agent) }
  }
  const actor = createActor(toMachine(chart, services), { input: {} })
  const controls = controlActor(actor)
  actor.start()
  const result = await controls.result
  return { result, agents: services.modelCalls.map(({ agent }) => agent) }
}

/** Returns the chart as a store would return it, with the given replacements in its JSON. */
function edited(
  chart: AgentChart,
  ...edits: readonly (readonly [from: string, to: string])[]
): AgentChart {
  let text = JSON.stringify(chart)
  for (const [from, to] of edits) {
    expect(text.split(from).length - 1, `occurrences of ${from}`).toBe(1)
    text = text.replace(from, to)
  }
  return JSON.parse(text) as AgentChart
}

describe.each(["run", "actor"] as const)("the execution of a stored chart (%s)", (interpreter) => {
  test("swapping two transition targets swaps the order of two agents", async () => {
    const chart = chartOf([
      sequence("line", ["first", "second", "third"]),
      llm("first"),
      llm("second"),
      llm("third"),
    ])
    const script = {
      first: [{ content: "1" }],
      second: [{ content: "2" }],
      third: [{ content: "3" }],
    }
    expect((await followedBy(interpreter, chart, script)).agents).toEqual([
      "first",
      "second",
      "third",
    ])

    const target = (from: string, to: string): string =>
      `{"guard":{"type":"completed"},"target":"#line.line.${to}","actions":[{"type":"applyResult","params":{"place":"line.${from}"}}`
    const swapped = edited(
      chart,
      ['"initial":"first"', '"initial":"second"'],
      [target("first", "second"), target("first", "third")],
      [target("second", "third"), target("second", "first")],
    )
    expect((await followedBy(interpreter, swapped, script)).agents).toEqual([
      "second",
      "first",
      "third",
    ])
  })

  test("a loop without its exit transition runs for the maximum number of iterations", async () => {
    const chart = chartOf([
      loop("rounds", ["writer"], 4, {
        loopExitCondition: "session_state.get('writer_text') == 'good'",
      }),
      llm("writer"),
    ])
    const script = { writer: [{ content: "bad" }, { content: "good" }] }
    const whole = await followedBy(interpreter, chart, script)
    expect(whole.agents).toHaveLength(2)
    expect(whole.result.state["loop_exit_reason"]).toBe("exit_condition")

    const stored = JSON.parse(JSON.stringify(chart)) as AgentChart
    const checking = stored.machines["rounds"]?.states["rounds"]?.states?.["checking"] as {
      always: { guard?: { type: string } }[]
    }
    const exits = checking.always.filter(({ guard }) => guard?.type === "exitConditionHolds")
    expect(exits).toHaveLength(1)
    checking.always = checking.always.filter(({ guard }) => guard?.type !== "exitConditionHolds")
    const endless = await followedBy(interpreter, stored, script)
    expect(endless.agents).toHaveLength(4)
    expect(endless.result.state["loop_exit_reason"]).toBe("max_agent_loop_iterations")
  })

  test("a loop without any exit ends at the limit of model calls instead of hanging", async () => {
    const chart = chartOf([loop("rounds", ["writer"], 3), llm("writer")], { maxModelCalls: 7 })
    const stored = JSON.parse(JSON.stringify(chart)) as AgentChart
    const checking = stored.machines["rounds"]?.states["rounds"]?.states?.["checking"] as {
      always: { guard?: { type: string } }[]
    }
    checking.always = checking.always.filter(({ guard }) => guard?.type !== "maximumReached")
    const { result, agents } = await followedBy(interpreter, stored, {
      writer: [{ content: "again" }],
    })
    expect(result.status).toBe("limit")
    expect(agents).toHaveLength(7)
  })
})
