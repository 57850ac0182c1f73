import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { chartOf, llm, sequence } from "../support/workflow.js"
import { scriptedServices } from "../support/scripted-services.js"

const picture = [
  { text: "What is " },
  { inline_data: { mime_type: "image/png", data: "AAEC" } },
  { text: "this?" },
]
const file = [{ file_data: { file_uri: "gs://bucket/a.pdf" } }]
const adk = { dialect: "adk" }

describe("messages of a user with images and files", () => {
  test("each agent sends the images and files of the user to its model unchanged", async () => {
    const chart = chartOf([sequence("line", ["one", "two"]), llm("one"), llm("two")], adk)
    const services = scriptedServices({ one: [{ content: "1" }], two: [{ content: "2" }] })
    const run = createRunner(services).start(chart, { prompt: picture, session: {} })
    const { state } = await run.result
    run.say(file)
    await run.result
    expect(services.modelCalls.map(({ messages }) => messages[1])).toEqual(
      Array.from({ length: 4 }, () => ({ role: "user", content: picture })),
    )
    expect(
      services.modelCalls
        .at(-1)
        ?.messages.filter(({ role }) => role === "user")
        .map(({ content }) => content),
    ).toContainEqual(file)
    expect(state["_user_message_count"]).toBe(1)
  })

  test("an actor accepts images and files, and its events contain the texts", async () => {
    const chart = chartOf([llm("one")])
    const services = scriptedServices({
      one: [
        { content: "?", waitForUserInput: true },
        { content: "!", exitFlow: true },
      ],
    })
    const told: unknown[] = []
    const actor = createActor(
      toMachine(chart, {
        ...services,
        onEvent: (event) => void (event.type === "user.said" && told.push(event.text)),
      }),
      { input: { prompt: file } },
    )
    const controls = controlActor(actor)
    actor.start()
    await controls.whenSettled()
    controls.say(picture)
    await controls.result
    expect(services.modelCalls[1]?.messages).toEqual([
      { role: "user", content: file },
      { role: "assistant", content: "?" },
      { role: "user", content: picture },
    ])
    expect(told).toEqual(["What is this?"])
  })

  test("a host function receives the texts, and a resumed run sends the same model requests", async () => {
    const chart = chartOf(
      [
        { type: "CustomAgent", id: "root", service: "root", subAgents: [{ agentId: "one" }] },
        llm("one"),
      ],
      adk,
    )
    const heard: unknown[] = []
    const root: HostFunction = async (context, input) => {
      heard.push(input)
      await context.runAgent("one")
    }
    const [journal, services] = [memoryJournal(), scriptedServices({ one: [{ content: "1" }] })]
    const run = createRunner({ ...services, services: { root }, journal }).start(chart, {
      prompt: picture,
      runId: "r",
    })
    await run.result
    const stored = JSON.parse(JSON.stringify(journal.toJSON())) as Record<string, StoredRun>
    const again = scriptedServices({ one: [{ content: "1" }] })
    const resumed = await createRunner({
      ...again,
      services: { root },
      journal: memoryJournal({
        r: { ...stored["r"], records: stored["r"]?.records.slice(0, 1) } as StoredRun,
      }),
    }).resume("r")
    await resumed.result
    expect(again.modelCalls.map(({ messages }) => messages)).toEqual(
      services.modelCalls.map(({ messages }) => messages),
    )
    expect(new Set(heard)).toEqual(new Set(["What is this?"]))
  })

  test.each<[content: unknown]>([
    [5],
    [[]],
    [[{ text: 5 }]],
    [[{ text: "a", more: 1 }]],
    [[{ inline_data: { mime_type: "x" } }]],
    [[{ file_data: { uri: "x" } }]],
    [["text"]],
  ])("the message %j is refused", async (content) => {
    const runner = createRunner(scriptedServices({ one: [{ content: "1" }] }))
    const refused = expect.objectContaining({ code: "input_refused" }) as Error
    expect(() => runner.start(chartOf([llm("one")], adk), { prompt: content as string })).toThrow(
      refused,
    )
    const run = runner.start(chartOf([llm("one")], adk))
    await run.result
    expect(() => run.say(content as string)).toThrow(refused)
  })
})
