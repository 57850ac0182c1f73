import { compile } from "agent-statecharts"
import { describe, expect, test } from "vitest"
import type { BaseAgent, BasePlugin, ModelServices } from "agent-statecharts/adk"
import { programOf } from "agent-statecharts/adk"
import { tryCompiled } from "../conformance/play.mjs"
import type { SnippetHeader } from "./snippet.js"
import { load, snippetNamed, snippets } from "./snippet.js"

const agents = snippets.filter(({ header }) => header.export === "rootAgent")

/**
 * Converts the expected values of a header: they contain some keys of the state, and texts anywhere in the messages,
 * including tool results.
 */
const inWordsOfVectors = ({
  requests = [],
  ...expected
}: SnippetHeader["expect"]): Record<string, unknown> => ({
  ...expected,
  stateMode: "subset",
  requests: (requests as readonly object[]).map((request) =>
    Object.fromEntries(
      Object.entries(request).map(([field, wanted]) => [
        field === "messagesContain" ? "messagesJsonContain" : field,
        wanted,
      ]),
    ),
  ),
})

describe("programs that use the classes of ADK", () => {
  for (const { file, header } of agents) {
    test.each(["run", "actor"] as const)(
      `${file} has the result in its header, as %s`,
      async (interpreter) => {
        const module = await load(file)
        const plugins = header.plugins === undefined ? [] : (module[header.plugins] as BasePlugin[])
        const { config, services } = programOf(module[header.export] as BaseAgent, { plugins })
        const { exports = {}, ...expected } = { ...inWordsOfVectors(header.expect) }
        const { llm, inputs = [], state = {}, prompt } = header
        const vector = {
          id: file,
          title: file,
          theme: "adk",
          dialect: "adk",
          services,
          llm,
          inputs,
          session: { prompt, state },
          expect: expected,
        } as const
        expect(await tryCompiled(vector, () => compile(config), interpreter, [])).toEqual([])
        expect(
          Object.fromEntries(Object.keys(exports as object).map((name) => [name, module[name]])),
        ).toEqual(exports)
      },
    )
  }
})

test("the function main of 10-in-memory-runner.ts returns the value in its header", async () => {
  const { file, header } = snippetNamed("10")
  const { main } = (await load(file)) as {
    readonly main: (models: ModelServices) => Promise<unknown>
  }
  const answers = new Map(
    Object.entries(header.llm as Record<string, unknown[]>).map(([agent, script]) => [
      agent,
      [...script],
    ]),
  )
  const scripted: ModelServices[string] = { call: async ({ agent }) => answers.get(agent)?.shift() }
  expect(await main({ "gemini-2.5-flash": scripted })).toEqual(header.expect["main"])
  expect([...answers.values()].flat()).toEqual([])
})
