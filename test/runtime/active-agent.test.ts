import { describe, expect, test } from "vitest"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
} from "../support/in-both-interpreters.js"

const transfer = (to: string) => calls("transfer_to_agent", { agent_name: to })

/** Runs two invocations and returns the agents whose models the second invocation called. */
async function askedNext(
  interpreter: (typeof interpreters)[number],
  config: object,
  script: Readonly<Record<string, readonly object[]>>,
): Promise<readonly string[]> {
  const { asked, models } = scriptedModel(script)
  const chart = chartOf({ model: "any", initialUserInput: "go", ...config })
  const { controls } = await play(interpreter, chart, { models })
  const before = asked.length
  controls.say("And now?")
  await controls.whenSettled()
  return asked.slice(before).map(({ agent }) => agent)
}

const form = { outputSchema: { type: "object" } }
const answer = [{ content: "{}" }]

describe.each(interpreters)("the agent that receives the next user message (%s)", (interpreter) => {
  test.each([
    ["may not transfer to its parent", { disallowTransferToParent: true }],
    ["has an outputSchema", form],
    ["is a workflow agent", { type: "SequentialAgent", subAgents: [{ name: "step" }] }],
    ["is a host function", { type: "CustomAgent", service: "counter" }],
  ])(
    "the agent that handed off receives the next message if the last agent %s",
    async (_name, last) => {
      const { asked, models } = scriptedModel({
        root: [transfer("helper"), { content: "root again" }],
        helper: [transfer("last"), { content: "helper again" }],
        last: answer,
        step: answer,
      })
      const chart = chartOf({
        name: "root",
        model: "any",
        subAgents: [{ name: "helper", subAgents: [{ name: "last", ...last }] }],
        initialUserInput: "go",
      })
      const { controls } = await play(interpreter, chart, {
        models,
        services: { counter: () => "7" },
      })
      const before = asked.length
      controls.say("And now?")
      expect(await controls.whenSettled()).toMatchObject({
        status: "completed",
        text: "helper again",
      })
      expect(asked.slice(before).map(({ agent }) => agent)).toEqual(["helper"])
    },
  )

  test("the nearest qualified agent on a longer handoff path receives the next message", async () => {
    const config = {
      name: "root",
      subAgents: [
        {
          name: "one",
          subAgents: [
            { name: "two", disallowTransferToParent: true, subAgents: [{ name: "three" }] },
          ],
        },
      ],
    }
    expect(
      await askedNext(interpreter, config, {
        root: [transfer("one")],
        one: [transfer("two"), { content: "one again" }],
        two: [transfer("three")],
        three: answer,
      }),
    ).toEqual(["one"])
  })

  test("an agent that qualified in an earlier invocation receives the next message", async () => {
    const { asked, models } = scriptedModel({
      root: [transfer("helper")],
      helper: [{ content: "mine" }, transfer("last"), { content: "mine again" }],
      last: answer,
    })
    const chart = chartOf({
      name: "root",
      model: "any",
      subAgents: [{ name: "helper" }, { name: "last", disallowTransferToParent: true }],
      initialUserInput: "go",
    })
    const { controls } = await play(interpreter, chart, { models })
    for (const text of ["second", "third"]) {
      controls.say(text)
      await controls.whenSettled()
    }
    expect(asked.map(({ agent }) => agent)).toEqual(["root", "helper", "helper", "last", "helper"])
  })

  test("the root agent receives the next message if no agent on the handoff path qualifies", async () => {
    const config = {
      name: "root",
      subAgents: [{ name: "last", disallowTransferToParent: true }],
    }
    expect(
      await askedNext(interpreter, config, {
        root: [transfer("last"), { content: "root again" }],
        last: answer,
      }),
    ).toEqual(["root"])
  })

  test("the root agent receives the next message if the handoff path had returned to it", async () => {
    const config = {
      name: "root",
      subAgents: [{ name: "helper" }, { name: "last", disallowTransferToParent: true }],
    }
    expect(
      await askedNext(interpreter, config, {
        root: [transfer("helper"), transfer("last"), { content: "root again" }],
        helper: [transfer("root")],
        last: answer,
      }),
    ).toEqual(["root"])
  })

  test("the root agent receives the next message after a HumanAgent was answered", async () => {
    const { asked, models } = scriptedModel({
      root: [transfer("helper"), { content: "root again" }],
      helper: [transfer("person")],
    })
    const chart = chartOf({
      name: "root",
      model: "any",
      subAgents: [
        { name: "helper", subAgents: [{ type: "HumanAgent", name: "person", prompt: "Well?" }] },
      ],
      initialUserInput: "go",
    })
    const { controls } = await play(interpreter, chart, { models })
    controls.answer(controls.pending()[0]?.id ?? "", "yes")
    await controls.whenSettled()
    controls.say("And now?")
    await controls.whenSettled()
    expect(asked.map(({ agent }) => agent)).toEqual(["root", "helper", "root"])
  })
})
