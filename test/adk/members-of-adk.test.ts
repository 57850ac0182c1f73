import { describe, expect, test } from "vitest"
import { compile } from "agent-statecharts"
import {
  App,
  BaseAgent,
  type Context,
  createEvent,
  type Event,
  FunctionNode,
  FunctionTool,
  getAskUserConfirmationFunctionCalls,
  GOOGLE_SEARCH,
  InMemoryRunner,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  type NodeContext,
  ParallelAgent,
  programOf,
  Runner,
  SequentialAgent,
  START,
  stringifyContent,
  Workflow,
} from "agent-statecharts/adk"
import { createRunner } from "agent-statecharts/runtime"

const says = (...answers: object[]) => {
  const left = [...answers]
  return { small: { call: async () => left.shift() ?? { content: "done" } } }
}
const calls = (name: string, args: object = {}) => ({
  toolCalls: [{ id: "c", function_name: name, function_args: args }],
})
const text = (said: string) => ({ role: "user", parts: [{ text: said }] })

async function play(runner: Runner, newMessage: object, sessionId?: string) {
  const { appName } = runner
  const id = sessionId ?? (await runner.sessionService.createSession({ appName, userId: "ada" })).id
  const events: Event[] = []
  for await (const event of runner.runAsync({ userId: "ada", sessionId: id, newMessage }))
    events.push(event)
  return { events, id }
}

const tool = (execute: (args: Record<string, unknown>, context: Context) => unknown) =>
  new FunctionTool({ name: "look", description: "Looks.", execute })

describe("the runners of ADK", () => {
  test("a Runner accepts an App and a shared session service", async () => {
    const sessionService = new InMemorySessionService()
    const app = new App({ name: "desk", rootAgent: new LlmAgent({ name: "a", model: "small" }) })
    const runner = new Runner({ app, sessionService, models: says({ content: "Hello, Ada." }) })
    const { events, id } = await play(runner, text("Hi."))
    expect(events.map(stringifyContent)).toEqual(["Hello, Ada."])
    const session = await sessionService.getSession({
      appName: "desk",
      userId: "ada",
      sessionId: id,
    })
    expect(session?.events.map(stringifyContent)).toEqual(["Hi.", "Hello, Ada."])
  })

  test("runEphemeral leaves no session behind", async () => {
    const runner = new InMemoryRunner({
      agent: new LlmAgent({ name: "a", model: "small" }),
      models: says({ content: "Hello." }),
    })
    const said: string[] = []
    for await (const event of runner.runEphemeral({ userId: "ada", newMessage: text("Hi.") }))
      said.push(stringifyContent(event))
    expect(said).toEqual(["Hello."])
    const { appName } = runner
    expect((await runner.sessionService.listSessions({ appName })).sessions).toEqual([])
  })

  test("missing and unsupported options of a Runner are errors that name the option", () => {
    const agent = new LlmAgent({ name: "a", model: "small" })
    const sessionService = new InMemorySessionService()
    const refused = (config: object): string => {
      try {
        void new Runner(config as ConstructorParameters<typeof Runner>[0])
      } catch (error) {
        return `${(error as { readonly code: string }).code}: ${(error as Error).message}`
      }
      return "nothing"
    }
    expect(refused({ agent, appName: "a" })).toMatch(/^definition_refused.*InMemorySessionService/)
    expect(refused({ agent, sessionService })).toMatch(/^definition_refused.*appName/)
    expect(refused({ appName: "a", sessionService })).toMatch(/^definition_refused.*agent/)
    expect(refused({ agent, appName: "a", sessionService, credentialService: {} })).toMatch(
      /^definition_refused.*"credentialService"/,
    )
  })
})

describe("options and tools that are not supported", () => {
  test("a tool that only Gemini executes is reported with a fix, and the chart is still compiled", () => {
    const { chart, diagnostics } = compile(
      new LlmAgent({ name: "a", model: "small", tools: [GOOGLE_SEARCH] }),
    )
    expect(chart?.agents["a"]).toBeDefined()
    expect(diagnostics).toMatchObject([
      {
        code: "hosted_tool",
        message: expect.stringContaining("google_search"),
        fix: expect.stringContaining("Register your own tool under this name"),
      },
    ])
  })

  test.each(["mode", "timeout", "retryConfig", "stateSchema", "isolationScope"])(
    "the option %s is reported by the compiler and refused by the runner",
    (option) => {
      const config = { name: "a", model: "small", [option]: option === "mode" ? "task" : { a: 1 } }
      const agent = new LlmAgent(config)
      expect(compile(agent)).toMatchObject({
        chart: null,
        diagnostics: [{ code: "unsupported_feature", field: option, agent: "a" }],
      })
      expect(() => new InMemoryRunner({ agent })).toThrow(
        expect.objectContaining({ code: "definition_refused" }),
      )
    },
  )

  test("ADK's default mode, and options that are undefined, are accepted", () => {
    const config = { name: "a", model: "small", mode: "single_turn" as const, planner: undefined }
    expect(compile(new LlmAgent(config)).diagnostics).toEqual([])
  })

  test("a misspelled option is a warning with the correct spelling", () => {
    const config = { name: "a", model: "small", outputkey: "x" }
    expect(compile(new LlmAgent(config)).diagnostics).toMatchObject([
      { severity: "warning", fix: expect.stringContaining("outputKey") },
    ])
    const subAgents = [new LlmAgent({ name: "b", model: "small" })]
    const misspelt = { name: "s", subAgents, descripton: "x" }
    expect(compile(new SequentialAgent(misspelt)).diagnostics).toMatchObject([
      { severity: "warning", fix: expect.stringContaining("description") },
    ])
  })
})

describe("the members of contexts", () => {
  test("the context of a tool has the user, session, app, message, branch and artifacts", async () => {
    const seen: unknown[] = []
    const look = tool(async (_args, context) => {
      const { userId, sessionId, appName, userContent, branch, session } = context
      await context.artifactService.saveArtifact({ filename: "note", artifact: { text: "kept" } })
      const artifact = await context.artifactService.loadArtifact({ filename: "note" })
      seen.push({ userId, appName, userContent, branch, artifact })
      return { same: session.id === sessionId, user: session.userId }
    })
    const agent = new ParallelAgent({
      name: "both",
      subAgents: [new LlmAgent({ name: "a", model: "small", tools: [look] })],
    })
    const runner = new InMemoryRunner({ agent, appName: "desk", models: says(calls("look")) })
    const { events } = await play(runner, text("Hi."))
    expect(seen).toEqual([
      {
        userId: "ada",
        appName: "desk",
        userContent: text("Hi."),
        branch: "both.0",
        artifact: { text: "kept" },
      },
    ])
    expect(JSON.stringify(events)).toContain('{"same":true,"user":"ada"}')
  })

  test("the contexts of a custom agent and of callbacks have the user, session and app", async () => {
    class Greeter extends BaseAgent {
      protected override async *runAsyncImpl(context: InvocationContext) {
        const { userId, appName, session } = context
        const said = `${userId} of ${appName}, ${session.userId}`
        yield createEvent({
          author: this.name,
          content: { role: "model", parts: [{ text: said }] },
        })
      }
    }
    const agent = new Greeter({
      name: "g",
      afterAgentCallback: ({ userId }) => {
        seen.push(userId)
        return undefined
      },
    })
    const seen: string[] = []
    const { events } = await play(new InMemoryRunner({ agent, appName: "desk" }), text("Hi."))
    expect(events.map(stringifyContent)).toContain("ada of desk, ada")
    expect(seen).toEqual(["ada"])
  })

  test("reading userId without a runner of ADK fails with an error that names the runner", async () => {
    const instruction = ({ userId }: { readonly userId: string }): string => `For ${userId}.`
    const agent = new LlmAgent({ name: "a", model: "small", instruction })
    const { services } = programOf(agent)
    const { chart } = compile(agent)
    if (chart === null) throw new Error("no chart")
    const { error } = await createRunner({ services, models: says() }).start(chart).result
    expect(error?.message).toMatch(/"userId".*InMemoryRunner/)
  })

  test("requestConfirmation asks the user, and the tool runs again with the answer", async () => {
    const pay = tool(({ amount }, context) => {
      if (context.toolConfirmation === undefined) {
        context.requestConfirmation({ hint: `Pay ${String(amount)}?`, payload: { limit: 5 } })
        return { status: "asked" }
      }
      return { paid: context.toolConfirmation.confirmed, payload: context.toolConfirmation.payload }
    })
    for (const confirmed of [true, false]) {
      const runner = new InMemoryRunner({
        agent: new LlmAgent({ name: "a", model: "small", tools: [pay] }),
        models: says(calls("look", { amount: 9 }), { content: "end" }),
      })
      const { events, id } = await play(runner, text("Pay."))
      const [asked] = events.flatMap(getAskUserConfirmationFunctionCalls)
      expect(asked?.args).toMatchObject({
        originalFunctionCall: { name: "look", args: { amount: 9 } },
        toolConfirmation: { hint: "Pay 9?", confirmed: false, payload: { limit: 5 } },
      })
      const { id: callId = "", name = "" } = asked ?? {}
      const reply = { functionResponse: { id: callId, name, response: { confirmed } } }
      const after = await play(runner, { role: "user", parts: [reply] }, id)
      expect(JSON.stringify(after.events)).toContain(`{"paid":${confirmed},"payload":{"limit":5}}`)
    }
  })

  test("afterToolCallback receives the tool's own value, and the model receives the wrapped value", async () => {
    const seen: unknown[] = []
    const agent = new LlmAgent({
      name: "a",
      model: "small",
      tools: [tool(() => 5)],
      afterToolCallback: ({ response }) => {
        seen.push(response)
        return undefined
      },
    })
    const { events } = await play(
      new InMemoryRunner({ agent, models: says(calls("look")) }),
      text("Look."),
    )
    expect(seen).toEqual([5])
    expect(JSON.stringify(events)).toContain('"response":{"result":5}')
  })
})

describe("functions of a Workflow", () => {
  const run = async (workflow: Workflow): Promise<string[]> => {
    const { events } = await play(new InMemoryRunner({ agent: workflow }), text("a b  c"))
    return events.map(stringifyContent).filter((said) => said !== "")
  }

  test("functions receive the context and the input, and choose a route with context.route", async () => {
    const tidy = (_context: NodeContext, line: string): string => line.replace(/\s+/g, " ")
    const count = new FunctionNode("count", (context, line: string) => {
      const words = line.split(" ").length
      context.state.set("words", words)
      context.route = words > 2 ? "long" : "short"
      return { line, words }
    })
    const report = ({ agentName }: NodeContext, { line, words }: { line: string; words: number }) =>
      `${agentName}: ${words} words: ${line}`
    const never = (): string => "short"
    const edges = [[START, tidy, count, { long: report, short: never }]] as const
    expect(await run(new Workflow({ name: "flow", edges }))).toEqual([
      "a b c",
      '{"line":"a b c","words":3}',
      "report: 3 words: a b c",
    ])
  })

  test("the constructor of FunctionNode rejects an invalid name", () => {
    const config = { name: "a" } as unknown as string
    expect(() => new FunctionNode(config, () => "x")).toThrow(/name and a function/)
    expect(() => new FunctionNode("", () => "x")).toThrow(/name and a function/)
    expect(new FunctionNode("a", () => "x").name).toBe("a")
  })
})
