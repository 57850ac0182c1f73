import { describe, expect, test } from "vitest"
import { chartOf as graphComposeChart, llm } from "../support/workflow.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
} from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"

const systemOf = ({ messages }: { readonly messages: readonly unknown[] }): unknown => {
  const [first] = messages as readonly { readonly role: string; readonly content: unknown }[]
  return first?.role === "system" ? first.content : null
}

describe.each(interpreters)(
  "the identity of an adk agent in its system prompt (%s)",
  (interpreter) => {
    test("the system prompt begins with the agent's name and description", async () => {
      const { asked, models } = scriptedModel({ guide: [{ content: "hi" }] })
      const chart = chartOf({
        name: "guide",
        model: "any",
        description: "Shows visitors around.",
        instruction: "Be brief.",
        initialUserInput: "go",
      })
      await play(interpreter, chart, { models })
      expect(asked.map(systemOf)).toEqual([
        'You are the agent "guide". Your description: Shows visitors around.\n\nBe brief.',
      ])
    })

    test("the system prompt of an agent without a description contains its name", async () => {
      const { asked, models } = scriptedModel({ guide: [{ content: "hi" }] })
      await play(interpreter, chartOf({ name: "guide", model: "any", initialUserInput: "go" }), {
        models,
      })
      expect(asked.map(systemOf)).toEqual(['You are the agent "guide".'])
    })

    test("the identity comes before the root's global instruction and a static instruction", async () => {
      const { asked, models } = scriptedModel({ guide: [{ content: "hi" }] })
      const chart = chartOf({
        name: "guide",
        model: "any",
        globalInstruction: "Speak Dutch.",
        staticInstruction: "You know the town. {this stays}",
        instruction: "Be brief.",
        initialUserInput: "go",
      })
      await play(interpreter, chart, { models })
      expect(asked.map(systemOf)).toEqual([
        'You are the agent "guide".\n\nSpeak Dutch.\n\nYou know the town. {this stays}',
      ])
    })

    test("placeholders in a description are not replaced", async () => {
      const { asked, models } = scriptedModel({ guide: [{ content: "hi" }] })
      const chart = chartOf({
        name: "guide",
        model: "any",
        description: "Answers {question}.",
        initialUserInput: "go",
      })
      const { rested } = await play(interpreter, chart, { models })
      expect(rested).toMatchObject({ status: "completed", text: "hi" })
      expect(asked.map(systemOf)).toEqual([
        'You are the agent "guide". Your description: Answers {question}.',
      ])
    })

    test("the system prompts of sub-agents and of targets of agent tools contain their names", async () => {
      const { asked, models } = scriptedModel({
        desk: [
          calls("clerk", { request: "stamp" }),
          calls("transfer_to_agent", { agent_name: "guide" }),
        ],
        clerk: [{ content: "stamped" }],
        guide: [{ content: "this way" }],
      })
      const chart = chartOf({
        name: "desk",
        model: "any",
        tools: [
          {
            name: "AgentTool",
            args: { agent: { name: "clerk", model: "any", description: "Stamps papers." } },
          },
        ],
        subAgents: [{ name: "guide", description: "Shows visitors around." }],
        initialUserInput: "go",
      })
      await play(interpreter, chart, { models })
      expect(asked.map(({ agent }) => agent)).toEqual(["desk", "clerk", "desk", "guide"])
      expect(systemOf(asked[1] ?? { messages: [] })).toBe(
        'You are the agent "clerk". Your description: Stamps papers.',
      )
      expect(systemOf(asked[3] ?? { messages: [] })).toMatch(
        /^You are the agent "guide"\. Your description: Shows visitors around\.\n\n/,
      )
    })

    test("the system prompt of a graph-compose agent contains only its instructions", async () => {
      const services = scriptedServices({ guide: [{ content: "hi", exitFlow: true }] })
      const chart = graphComposeChart([
        llm("guide", { description: "Shows visitors around.", instructions: "Be brief." }),
      ])
      await play(interpreter, chart, services)
      expect(services.modelCalls.map(systemOf)).toEqual(["Be brief."])
    })
  },
)
