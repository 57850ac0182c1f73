import { expect, test } from "vitest"
import type { CallIdentity } from "../../src/machines/contract/services.js"
import { fanConfig } from "../../src/machines/containers/fan.config.js"
import { llmAgentConfig } from "../../src/machines/agent/llm-agent.config.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { eventCacheKey } from "../../src/runtime/driver/event-cache-key.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, parallel } from "../support/workflow.js"

const ended = (actorId: string) => ({ type: `xstate.done.actor.${actorId}`, actorId })

test("the done events of branches share one cached transition, and other events do not", () => {
  const fan = eventCacheKey(fanConfig)
  expect(fan(ended("branch.1"))).toBe(fan(ended("branch.1000")))
  const turn = eventCacheKey(llmAgentConfig)
  expect(turn(ended("tool.0"))).toBe(turn(ended("tool.7")))
  const keys = [
    ended("tool.0"),
    ended("model"),
    ended("expiry"),
    ended("deadline"),
    { type: "run.stopped" },
  ].map(turn)
  expect(new Set(keys).size).toBe(keys.length)
})

test.each([
  { on: { "xstate.done.actor.branch.1": [] } },
  { on: { "xstate.done.actor.branch.1.*": [] } },
  { states: { inner: { on: { "xstate.done.actor.branch.1": [] } } } },
  { states: { inner: { invoke: { id: "branch.1", src: "agent", input: {}, onDone: [] } } } },
])(
  "done events of branches are cached separately if a chart handles them separately: %j",
  (part) => {
    const key = eventCacheKey({ id: "edited", initial: "inner", states: {}, ...part })
    expect(key(ended("branch.1"))).not.toBe(key(ended("branch.2")))
  },
)

test("parallel agents with dots in their names finish in any order", async () => {
  const names = ["v1.fast", "v1.slow", "v1.last"]
  const chart = chartOf([parallel("all", names), ...names.map((name) => llm(name))])
  const script = Object.fromEntries(names.map((name) => [name, [{ content: name }]]))
  let late = ""
  // The late agent responds one macrotask after the others.
  const delay = ({ agent }: CallIdentity) =>
    new Promise<void>((resolve) => (agent === late ? setImmediate(resolve) : resolve()))
  const runner = createRunner(scriptedServices(script, {}, delay))
  for (late of ["", ...names]) {
    const run = runner.start(chart)
    const ends: string[] = []
    run.events$.subscribe((event) => {
      if (event.type === "agent.finished" && event.kind === "LlmAgent") ends.push(event.agent)
    })
    const { status, state } = await run.result
    expect(status).toBe("completed")
    expect(state).toMatchObject(Object.fromEntries(names.map((name) => [`${name}_text`, name])))
    expect(ends).toEqual([
      ...names.filter((name) => name !== late),
      ...names.filter((name) => name === late),
    ])
  }
})
