import {
  AgentTool,
  BasePlugin,
  BaseToolset,
  BaseTool,
  FunctionTool,
  isFinalResponse,
  LlmAgent,
  PolicyOutcome,
  SecurityPlugin,
  SequentialAgent,
  stringifyContent,
} from "agent-statecharts/adk"
import type { LlmAgentConfig, RunAsyncToolRequest } from "agent-statecharts/adk"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import { call, inWords, play } from "./play-agent.js"

const agentWith = (more: Partial<LlmAgentConfig>) =>
  new LlmAgent({ name: "a", model: "small", instruction: "Be brief.", ...more })
const said = (text: string) => ({ content: { role: "model", parts: [{ text }] } })

describe("the callbacks of agents, models and tools", () => {
  test("beforeModelCallback receives the request, and its response replaces the model call", async () => {
    const seen: unknown[] = []
    const agent = agentWith({
      tools: [new FunctionTool({ name: "search", description: "Finds.", execute: () => 1 })],
      beforeModelCallback: [
        ({ context, request }) => {
          seen.push(context.agentName, request)
          return undefined
        },
        () => said("Instead."),
        () => said("Never asked."),
      ],
    })
    const played = await play(agent, {})
    expect((await played.send("Hello")).map(inWords)).toEqual(["a: Instead."])
    expect(seen).toMatchObject([
      "a",
      {
        model: "small",
        contents: [{ role: "user", parts: [{ text: "Hello" }] }],
        config: {
          systemInstruction: 'You are the agent "a".\n\nBe brief.',
          tools: [{ functionDeclarations: [{ name: "search" }] }],
        },
      },
    ])
    expect(played.requests).toEqual([])
  })

  test("the model receives a request that several callbacks have changed", async () => {
    const agent = agentWith({
      beforeModelCallback: [
        ({ request }) => {
          request.config = { ...request.config, systemInstruction: "Other." }
          return undefined
        },
        ({ request }) => {
          const instruction = request.config?.systemInstruction as string
          request.contents.push({ role: "user", parts: [{ text: `${instruction} Now.` }] })
          return undefined
        },
      ],
    })
    const played = await play(agent, { a: [{ content: "Yes." }] })
    await played.send("Hello")
    expect(played.requests.map(({ messages }) => messages)).toEqual([
      [
        { role: "system", content: "Other." },
        { role: "user", content: "Hello" },
        { role: "user", content: "Other. Now." },
      ],
    ])
  })

  test("afterModelCallback receives the response, and onModelErrorCallback receives the error", async () => {
    const after = agentWith({
      afterModelCallback: ({ response }) =>
        said(
          `${response.content?.parts?.[0]?.text} (${response.usageMetadata?.candidatesTokenCount})`,
        ),
    })
    expect(
      (
        await (
          await play(after, { a: [{ content: "Hi", usage: { inputTokens: 1, outputTokens: 7 } }] })
        ).send("Hello")
      ).map(inWords),
    ).toEqual(["a: Hi (7)"])

    const saved = agentWith({
      onModelErrorCallback: ({ error }) => said(`Sorry: ${error.message}`),
    })
    const [event] = await (await play(saved, { a: [{ fails: "no power" }] })).send("Hello")
    expect(
      stringifyContent(
        event ??
          (() => {
            throw new Error("no event")
          })(),
      ),
    ).toMatch(/^Sorry: .*no power/)
  })

  test("callbacks of an agent receive its context, and a returned text is saved under the output key", async () => {
    const agent = agentWith({
      outputKey: "answer",
      beforeAgentCallback: ({ state, invocationId, abortSignal }) => {
        state.update({
          first: state.get("first", 1),
          invocation: typeof invocationId,
          stopped: abortSignal.aborted,
        })
        return undefined
      },
      afterAgentCallback: (context) => ({
        role: "model",
        parts: [{ text: `It was ${String(context.state.get("first"))}.` }],
      }),
    })
    const played = await play(agent, { a: [{ content: "Hi" }] })
    expect((await played.send("Hello")).map(inWords)).toEqual(["a: Hi", "a: It was 1."])
    expect(await played.state()).toMatchObject({
      first: 1,
      invocation: "string",
      stopped: false,
      answer: "It was 1.",
    })
  })

  test("a container can have callbacks", async () => {
    const root = new SequentialAgent({
      name: "all",
      subAgents: [agentWith({})],
      beforeAgentCallback: () => ({ role: "model", parts: [{ text: "Closed." }] }),
    })
    expect((await (await play(root, {})).send("Hello")).map(inWords)).toEqual(["all: Closed."])
  })

  test("callbacks of a tool receive the tool, its arguments, the call id, and the result or error", async () => {
    const seen: unknown[] = []
    const divide = new FunctionTool({
      name: "divide",
      description: "Divides.",
      parameters: z.object({ by: z.number() }),
      execute: ({ by }) => {
        if (by === 0) throw new Error("division by zero")
        return 10 / by
      },
    })
    const agent = agentWith({
      tools: [divide],
      beforeToolCallback: ({ tool, args, context }) => {
        seen.push(tool === divide, context.functionCallId)
        if (args["by"] === 1) args["by"] = 2
        return undefined
      },
      afterToolCallback: ({ response, args }) => ({ got: response, by: args["by"] }),
      onToolErrorCallback: ({ error }) => ({ note: error.message }),
    })
    const played = await play(agent, {
      a: [
        {
          toolCalls: [
            { id: "x", function_name: "divide", function_args: { by: 1 } },
            { id: "y", function_name: "divide", function_args: { by: 0 } },
          ],
        },
        { content: "Done" },
      ],
    })
    const [, results] = await played.send("Divide")
    expect(seen).toEqual([true, "x", true, "y"])
    expect(
      results?.content?.parts?.map(({ functionResponse }) => functionResponse?.response),
    ).toEqual([
      { got: 5, by: 2 },
      { got: { note: expect.stringContaining("division by zero") }, by: 0 },
    ])
  })
})

describe("plugins", () => {
  test("callbacks of plugins run before the callbacks of agents, with the parameters of ADK", async () => {
    const seen: unknown[] = []
    class Watch extends BasePlugin {
      override async beforeAgentCallback({
        agent,
        callbackContext,
      }: Parameters<BasePlugin["beforeAgentCallback"]>[0]) {
        seen.push([agent, callbackContext.agentName])
        return undefined
      }
      override async beforeModelCallback({
        llmRequest,
      }: Parameters<BasePlugin["beforeModelCallback"]>[0]) {
        seen.push(llmRequest.contents.length)
        return undefined
      }
      override async afterToolCallback({
        tool,
        toolArgs,
        toolContext,
        result,
      }: Parameters<BasePlugin["afterToolCallback"]>[0]) {
        seen.push([tool.name, toolArgs, toolContext.functionCallId, result])
        return undefined
      }
    }
    const agent = agentWith({
      tools: [new FunctionTool({ name: "ping", description: "Pings.", execute: () => "pong" })],
      beforeModelCallback: () => {
        seen.push("own")
        return undefined
      },
    })
    await (
      await play(
        agent,
        { a: [call("c", "ping"), { content: "Done" }] },
        { plugins: [new Watch("watch")] },
      )
    ).send("Hello")
    expect(seen).toEqual([[agent, "a"], 1, "own", ["ping", {}, "c", "pong"], 3, "own"])
  })

  test("a policy engine that throws or returns no valid outcome denies the call", async () => {
    for (const evaluate of [
      () => Promise.reject(new Error("no rules")),
      () => Promise.resolve(undefined as never),
      () => Promise.resolve({ outcome: "MAYBE" }),
    ]) {
      const run: string[] = []
      const agent = agentWith({
        tools: [
          new FunctionTool({ name: "pay", description: "Pays.", execute: () => run.push("paid") }),
        ],
      })
      const [, denied] = await (
        await play(
          agent,
          { a: [call("c", "pay"), { content: "No." }] },
          { plugins: [new SecurityPlugin({ policyEngine: { evaluate } })] },
        )
      ).send("Pay")
      expect(denied?.content?.parts?.[0]?.functionResponse?.response).toEqual({
        error: expect.stringContaining("denied"),
      })
      expect(run).toEqual([])
    }
  })

  test("a policy engine decides before the tool's own requireConfirmation is called", async () => {
    const asked: string[] = []
    const engine = {
      evaluate: async ({ toolArgs }: { toolArgs: Record<string, unknown> }) => (
        asked.push("policy"),
        { outcome: toolArgs["amount"] === 1 ? PolicyOutcome.DENY : PolicyOutcome.ALLOW }
      ),
    }
    const pay = new FunctionTool({
      name: "pay",
      description: "Pays.",
      parameters: z.object({ amount: z.number() }),
      requireConfirmation: ({ amount }) => (asked.push("tool"), amount > 50),
      execute: ({ amount }) => amount,
    })
    const script = {
      a: [
        ...[1, 20, 90].map((amount) => call(`c${amount}`, "pay", { amount })),
        { content: "Done" },
      ],
    }
    const events = await (
      await play(agentWith({ tools: [pay] }), script, {
        plugins: [new SecurityPlugin({ policyEngine: engine })],
      })
    ).send("Pay")
    expect(asked).toEqual(["policy", "policy", "tool", "policy", "tool"])
    expect(events.map(inWords)).toEqual([
      "a calls pay(c1)",
      "a gets pay(c1)",
      "a calls pay(c20)",
      "a gets pay(c20)",
      "a calls pay(c90)",
      expect.stringMatching(/^a calls adk_request_confirmation/),
    ])
  })
})

describe("tools", () => {
  test("tool callbacks receive the parsed arguments, and the model receives the errors in them", async () => {
    const given: unknown[] = []
    const at = new FunctionTool({
      name: "at",
      description: "At a time.",
      parameters: z
        .object({
          day: z.string().transform((text) => text.toUpperCase()),
          hour: z.number().max(23).default(9),
        })
        .refine(({ hour }) => hour !== 13, "not at 13"),
      execute: (input) => void given.push(input),
    })
    const script = {
      a: [
        call("1", "at", { day: "mo", hour: 99 }),
        call("2", "at", { day: "mo", hour: 13 }),
        call("3", "at", { day: "mo" }),
        { content: "Done" },
      ],
    }
    const events = await (await play(agentWith({ tools: [at] }), script)).send("Go")
    expect(given).toEqual([{ day: "MO", hour: 9 }])
    const errors = events
      .flatMap(({ content }) => content?.parts ?? [])
      .map(({ functionResponse }) => functionResponse?.response?.["error"])
      .filter((error) => error !== undefined)
    expect(errors).toEqual([expect.stringContaining("hour"), expect.stringContaining("not at 13")])
  })

  test("tools can write state and artifacts, hand over, and end the turn with their result", async () => {
    const keep = new FunctionTool({
      name: "keep",
      description: "Keeps.",
      execute: async (_input, context) => {
        context.state.set("kept", true)
        await context.saveArtifact("notes.txt", { text: "tea" })
        await context.saveArtifact("leaf.png", {
          inlineData: { mimeType: "image/png", data: "AA==" },
        })
        context.actions.skipSummarization = true
        return [
          await context.loadArtifact("notes.txt"),
          await context.loadArtifact("leaf.png"),
          await context.loadArtifact("none"),
          await context.listArtifacts(),
        ]
      },
    })
    const transfer = new FunctionTool({
      name: "expert",
      description: "Asks the expert.",
      execute: (_input, { actions }) => {
        actions.transferToAgent = "b"
        return "ok"
      },
    })
    const kept = await play(agentWith({ tools: [keep] }), { a: [call("1", "keep")] })
    const [, results] = await kept.send("Keep it")
    expect(results?.content?.parts?.[0]?.functionResponse?.response).toEqual({
      result: [
        { text: "tea" },
        { inlineData: { mimeType: "image/png", data: "AA==" } },
        null,
        ["leaf.png", "notes.txt"],
      ],
    })
    expect(await kept.state()).toEqual(expect.objectContaining({ kept: true }))
    expect(kept.requests).toHaveLength(1)

    const handed = await play(
      agentWith({
        tools: [transfer],
        subAgents: [new LlmAgent({ name: "b", instruction: "Help." })],
      }),
      { a: [call("1", "expert")], b: [{ content: "I am b." }] },
    )
    expect((await handed.send("Help")).map(inWords)).toEqual([
      "a calls expert(1)",
      "a gets expert(1), to b",
      "b: I am b.",
    ])
  })

  test("a tool can be a subclass of BaseTool or come from a toolset", async () => {
    class Shout extends BaseTool {
      constructor(name: string) {
        super({ name, description: "Shouts." })
      }
      override _getDeclaration() {
        return {
          name: this.name,
          description: this.description,
          parameters: {
            type: "OBJECT",
            properties: { text: { type: "STRING" } },
            required: ["text"],
          },
        }
      }
      async runAsync({ args, toolContext }: RunAsyncToolRequest) {
        return `${String(args["text"]).toUpperCase()} ${toolContext.functionCallId}`
      }
    }
    class Voices extends BaseToolset {
      async getTools() {
        return [new Shout("shout_low"), new Shout("shout_high")]
      }
    }
    const agent = agentWith({ tools: [new Shout("shout"), new Voices(["shout_low"])] })
    const played = await play(agent, {
      a: [
        call("1", "shout", { text: "hi" }),
        call("2", "shout_low", { text: "ho" }),
        { content: "Done" },
      ],
    })
    const events = await played.send("Shout")
    expect(
      events
        .flatMap(({ content }) => content?.parts ?? [])
        .flatMap(({ functionResponse }) => functionResponse?.response ?? []),
    ).toEqual([{ result: "HI 1" }, { result: "HO 2" }])
    expect(played.requests[0]?.tools.map((tool) => tool.function)).toMatchObject([
      { name: "shout", parameters: { type: "object", properties: { text: { type: "string" } } } },
      { name: "shout_low" },
    ])
  })

  test("an agent tool can end the turn with its result", async () => {
    const expert = new LlmAgent({ name: "expert", model: "small", instruction: "Know." })
    const played = await play(
      agentWith({ tools: [new AgentTool({ agent: expert, skipSummarization: true })] }),
      { a: [call("1", "expert", { request: "tea" })], expert: [{ content: "A leaf." }] },
    )
    const events = await played.send("Ask")
    expect(events.map(inWords)).toEqual(["a calls expert(1)", "a gets expert(1)", "a: A leaf."])
    expect(events.filter(isFinalResponse).map(stringifyContent)).toContain("A leaf.")
  })
})
