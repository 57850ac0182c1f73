import { describe, expect, test } from "vitest"
import type { BasePlugin } from "agent-statecharts/adk"
import {
  FunctionTool,
  GlobalInstructionPlugin,
  InMemoryRunner,
  LlmAgent,
  LoggingPlugin,
  SequentialAgent,
} from "agent-statecharts/adk"

const newMessage = { role: "user", parts: [{ text: "Go." }] }

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** Runs an agent with plugins and returns the system messages of its model calls. */
async function systemMessages(
  agent: LlmAgent | SequentialAgent,
  plugins: readonly BasePlugin[],
  stateDelta: Readonly<Record<string, unknown>> = {},
): Promise<readonly unknown[]> {
  const systems: unknown[] = []
  const call = async ({ messages }: Request) => {
    systems.push(messages.find(({ role }) => role === "system")?.content ?? null)
    return { content: "Done." }
  }
  const runner = new InMemoryRunner({ agent, plugins, models: { small: { call } } })
  for await (const _ of runner.runEphemeral({ userId: "ada", newMessage, stateDelta })) continue
  return systems
}

describe("GlobalInstructionPlugin", () => {
  const agent = () =>
    new SequentialAgent({
      name: "all",
      subAgents: [
        new LlmAgent({ name: "a", model: "small", instruction: "Be short." }),
        new LlmAgent({ name: "b", model: "small" }),
      ],
    })

  test("the text of the plugin is added before the instructions of every agent", async () => {
    const systems = await systemMessages(agent(), [new GlobalInstructionPlugin("You are {who}.")], {
      who: "Otto",
    })
    expect(systems).toEqual([
      'You are Otto.\n\nYou are the agent "a".\n\nBe short.',
      'You are Otto.\n\nYou are the agent "b".',
    ])
  })

  test("a function as the text is called for each model call", async () => {
    const plugin = new GlobalInstructionPlugin(async ({ agentName }) => `For ${agentName}.`, "mine")
    expect(plugin.name).toBe("mine")
    const systems = await systemMessages(agent(), [plugin])
    expect(systems.map((text) => String(text).split("\n")[0])).toEqual(["For a.", "For b."])
  })

  test("a plugin without a text changes nothing", async () => {
    for (const plugin of [new GlobalInstructionPlugin(), new GlobalInstructionPlugin(() => "")])
      expect((await systemMessages(agent(), [plugin]))[1]).toBe('You are the agent "b".')
  })

  test("the text can contain artifacts, and a missing key is an error that names the key", async () => {
    const keep = new FunctionTool({
      name: "keep",
      description: "Keeps a note.",
      execute: async (_args, context) => {
        await context?.saveArtifact("note.md", { text: "blue" })
        return "kept"
      },
    })
    const systems: string[] = []
    const call = async ({ messages }: Request) => {
      systems.push(String(messages[0]?.content))
      return systems.length > 1
        ? { content: "Done." }
        : { toolCalls: [{ id: "1", function_name: "keep", function_args: {} }] }
    }
    const runner = new InMemoryRunner({
      agent: new LlmAgent({ name: "a", model: "small", tools: [keep] }),
      plugins: [new GlobalInstructionPlugin("Note: {artifact.note.md?}")],
      models: { small: { call } },
    })
    for await (const _ of runner.runEphemeral({ userId: "ada", newMessage })) continue
    expect(systems.map((text) => text.split("\n")[0])).toEqual(["Note: ", "Note: blue"])
    await expect(
      systemMessages(agent(), [new GlobalInstructionPlugin("{missing}")]),
    ).rejects.toThrow(/reads \{missing\}, which is not in the state/)
  })
})

test("LoggingPlugin prints one line for each message, event, start and end", async () => {
  const lines: string[] = []
  const look = new FunctionTool({
    name: "look",
    description: "Looks.",
    execute: () => ({ found: "x".repeat(300) }),
  })
  const answers = [
    { toolCalls: [{ id: "1", function_name: "look", function_args: { at: "the sea" } }] },
    { content: "I see it.", usage: { inputTokens: 7, outputTokens: 2 } },
  ]
  const runner = new InMemoryRunner({
    agent: new LlmAgent({ name: "a", model: "small", tools: [look], outputKey: "seen" }),
    plugins: [new LoggingPlugin("log", (line) => lines.push(line))],
    models: { small: { call: async () => answers.shift() } },
  })
  for await (const _ of runner.runEphemeral({ userId: "ada", newMessage })) continue
  const ids = /session "[^"]+"|event \S+/g
  expect(lines.map((line) => line.replaceAll(ids, (id) => id.split(" ")[0] ?? ""))).toEqual([
    '[log] message of user "ada" in session of app "InMemoryRunner": "Go."',
    "[log] invocation starts in session",
    '[log] event of "a": call of look with {"at":"the sea"}',
    `[log] event of "a": result of look: {"found":"${"x".repeat(190)}...`,
    '[log] event of "a": "I see it."; writes seen; tokens 7 in, 2 out; final response',
    "[log] invocation ends in session",
  ])
})
