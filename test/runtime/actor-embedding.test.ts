import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import type { EmittedEvent } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, human, llm, parallel, sequence } from "../support/workflow.js"

const chart = chartOf([
  sequence("line", ["draft", "fan", "boss", "send"]),
  llm("draft"),
  parallel("fan", ["legal", "style"]),
  llm("legal"),
  llm("style"),
  human("boss"),
  llm("send"),
])
const script = {
  draft: [{ content: "D" }],
  legal: [{ content: "L", waitForUserInput: true }, { content: "L2" }],
  style: [{ content: "S" }],
  send: [{ content: "sent" }],
}

describe("toMachine: a chart as an XState machine", () => {
  test("an actor that XState's createActor starts emits the events of the run and returns its result", async () => {
    const events: EmittedEvent[] = []
    const machine = toMachine(chart, {
      ...scriptedServices(script),
      onEvent: (event) => events.push(event),
    })
    const actor = createActor(machine, {
      input: { prompt: "write", state: { tone: "kind" }, runId: "mine" },
    })
    const controls = controlActor(actor)
    expect(events).toEqual([])
    actor.start()
    expect((await controls.whenSettled()).status).toBe("waiting")
    expect(controls.pending()).toMatchObject([
      { kind: "input", agent: "legal", branch: "fan.0", path: "line/fan/legal" },
    ])
    controls.say("go on")
    await controls.whenSettled()
    expect(actor.getSnapshot().value).toEqual({ line: "boss" })
    controls.answer(controls.pending()[0]?.id ?? "", "fine")
    const result = await controls.result
    expect(result).toMatchObject({
      runId: "mine",
      status: "completed",
      text: "sent",
      usage: { modelCalls: 5, toolCalls: 0 },
    })
    expect(result.state).toMatchObject({
      tone: "kind",
      draft_text: "D",
      legal_text: "L2",
      style_text: "S",
      boss_answer: "fine",
      send_text: "sent",
    })
    expect(actor.getSnapshot().status).toBe("done")
    expect(
      events.filter(({ type }) => type === "agent.finished").map(({ agent }) => agent),
    ).toEqual(["draft", "style", "legal", "fan", "boss", "send", "line"])
  })

  test("an actor fails before its first model call if a service of the chart is missing", async () => {
    const wanting = chartOf([
      sequence("line", ["first", "second"]),
      llm("first"),
      { type: "LlmAgent", id: "second", model: "large", instruction: "i" },
    ])
    const services = scriptedServices({ first: [{ content: "never" }] })
    const actor = createActor(toMachine(wanting, services), { input: { runId: "mine" } })
    const controls = controlActor(actor)
    actor.start()
    const error = {
      code: "service_missing",
      agent: null,
      message:
        'services are missing: agent "second" needs the model "large". Register them in the options of createRunner or toMachine: { models: { "large": openAiModel({ baseUrl }) } }',
    }
    expect(await controls.result).toMatchObject({
      runId: "mine",
      status: "failed",
      text: null,
      state: {},
      error,
      usage: { modelCalls: 0 },
    })
    expect(await controls.whenSettled()).toMatchObject({ status: "failed", error })
    expect(actor.getSnapshot().status).toBe("error")
    expect(services.modelCalls).toEqual([])
  })

  test("the persisted snapshot is JSON, and another actor can continue it", async () => {
    const first = createActor(toMachine(chart, scriptedServices(script)), { input: { runId: "r" } })
    const before = controlActor(first)
    first.start()
    await before.whenSettled()
    const stored = JSON.parse(JSON.stringify(first.getPersistedSnapshot())) as never
    const [request] = before.pending()
    first.stop()

    const services = scriptedServices({ ...script, legal: [{ content: "L2" }] })
    const second = createActor(toMachine(chart, services), { snapshot: stored })
    const after = controlActor(second)
    second.start()
    await after.whenSettled()
    expect(after.pending()).toEqual([request])
    after.say("go on")
    await after.whenSettled()
    after.answer(after.pending()[0]?.id ?? "", { ok: true })
    expect((await after.result).state).toMatchObject({
      legal_text: "L2",
      style_text: "S",
      boss_answer: { ok: true },
      send_text: "sent",
    })
    expect(services.modelCalls.map(({ agent }) => agent)).toEqual(["legal", "send"])
  })

  test("an actor rejects a reply that does not match a pending request and keeps its requests", async () => {
    const actor = createActor(toMachine(chart, scriptedServices(script)), { input: {} })
    const controls = controlActor(actor)
    actor.start()
    await controls.whenSettled()
    const pending = controls.pending()
    expect(() => controls.approve("nobody")).toThrow(/request "nobody" is not pending/)
    expect(() => controls.approve(pending[0]?.id ?? "")).toThrow(/of kind input/)
    expect(() => controls.deliver("x", 1)).toThrow(/long-running call "x" is not pending/)
    expect(controls.pending()).toEqual(pending)
    controls.cancel()
    expect((await controls.result).status).toBe("cancelled")
    expect(() => controls.say("late")).toThrow(/has finished/)
  })
})
