import {
  AgentTool,
  BaseAgent,
  BaseToolset,
  createEvent,
  createEventActions,
  EXIT_LOOP,
  FunctionTool,
  getFunctionCalls,
  InMemoryRunner,
  isFinalResponse,
  LlmAgent,
  LongRunningFunctionTool,
  LoopAgent,
  ParallelAgent,
  SequentialAgent,
  stringifyContent,
} from "agent-statecharts/adk"
import type { Event, InvocationContext, LlmAgentConfig, ModelServices } from "agent-statecharts/adk"
import { describe, expect, test } from "vitest"
import { call, inWords, play } from "./play-agent.js"

const llm = (name: string, more: Partial<LlmAgentConfig> = {}) =>
  new LlmAgent({ name, model: "small", ...more })
const respond = (id: string, name: string, response: Record<string, unknown>) => [
  { functionResponse: { id, name, response } },
]
const delta = ({ actions }: Event) => actions.stateDelta

describe("events", () => {
  test("the events of a turn contain its calls, results, text and state changes in ADK's form", async () => {
    const search = new FunctionTool({
      name: "search",
      description: "Finds.",
      execute: (_input, { state }) => (state.set("found", 1), { hits: 3 }),
    })
    const script = {
      a: [
        {
          content: "Let me see.",
          toolCalls: [
            { id: "1", function_name: "search", function_args: { q: "tea" } },
            { function_name: "search", function_args: {} },
          ],
        },
        { content: "Three.", usage: { inputTokens: 5, outputTokens: 2 } },
      ],
    }
    const events = await (
      await play(llm("a", { tools: [search], outputKey: "answer" }), script)
    ).send("Tea?")
    expect(events).toMatchObject([
      {
        author: "a",
        content: {
          role: "model",
          parts: [
            { text: "Let me see." },
            { functionCall: { id: "1", name: "search", args: { q: "tea" } } },
            { functionCall: { id: "call_0_1" } },
          ],
        },
      },
      {
        author: "a",
        content: {
          role: "user",
          parts: [
            { functionResponse: { id: "1", name: "search", response: { hits: 3 } } },
            { functionResponse: { id: "call_0_1" } },
          ],
        },
      },
      {
        author: "a",
        content: { role: "model", parts: [{ text: "Three." }] },
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
        actions: { stateDelta: { found: 1, answer: "Three." } },
      },
    ])
    expect(events.map(isFinalResponse)).toEqual([false, false, true])
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
    expect(new Set(events.map(({ invocationId }) => invocationId)).size).toBe(1)
  })

  test("events arrive while the run is active", async () => {
    const [asked, open] = [deferred(), deferred()]
    const small = {
      call: async ({ agent }: { agent: string }) =>
        agent === "first"
          ? { content: "one" }
          : (asked.settle(), await open.promise, { content: "two" }),
    }
    const runner = new InMemoryRunner({
      agent: new SequentialAgent({ name: "both", subAgents: [llm("first"), llm("second")] }),
      models: { small },
    })
    const { id } = await runner.sessionService.createSession({
      appName: runner.appName,
      userId: "u",
    })
    const events = runner.runAsync({
      userId: "u",
      sessionId: id,
      newMessage: { role: "user", parts: [{ text: "Go" }] },
    })
    expect(inWords((await events.next()).value as Event)).toBe("first: one")
    await asked.promise
    open.settle()
    expect(inWords((await events.next()).value as Event)).toBe("second: two")
    expect((await events.next()).done).toBe(true)
  })

  test("branches, loops and transfers emit the events of ADK", async () => {
    const team = llm("desk", { subAgents: [llm("billing"), llm("support")] })
    expect(
      (
        await (
          await play(team, {
            desk: [call("t", "transfer_to_agent", { agent_name: "support" })],
            support: [{ content: "Yes?" }],
          })
        ).send("Help")
      ).map(inWords),
    ).toEqual([
      "desk calls transfer_to_agent(t)",
      expect.stringMatching(/^desk.*to support$/),
      "support: Yes?",
    ])
    const branches = new ParallelAgent({
      name: "both",
      subAgents: [llm("l", { outputKey: "left" }), llm("r", { outputKey: "right" })],
    })
    const events = await (
      await play(branches, { l: [{ content: "L" }], r: [{ content: "R" }] })
    ).send("Go")
    expect(
      events
        .filter(({ content }) => content !== undefined)
        .map(({ author, branch }) => `${author} in ${branch}`)
        .sort(),
    ).toEqual(["l in both.0", "r in both.1"])
    expect(Object.assign({}, ...events.map(delta))).toEqual({ left: "L", right: "R" })
    const loop = new SequentialAgent({
      name: "all",
      subAgents: [
        new LoopAgent({ name: "rounds", subAgents: [llm("w"), llm("c", { tools: [EXIT_LOOP] })] }),
        llm("end"),
      ],
    })
    expect(
      (
        await (
          await play(loop, {
            w: [{ content: "1" }, { content: "2" }],
            c: [{ content: "more" }, call("x", "exit_loop")],
            end: [{ content: "done" }],
          })
        ).send("Go")
      ).map(inWords),
    ).toEqual([
      "w: 1",
      "c: more",
      "w: 2",
      "c calls exit_loop(x)",
      "c gets exit_loop(x), escalates",
      "end: done",
    ])
  })

  test("a custom agent ends a loop with an escalating event, as in the examples of ADK", async () => {
    class CheckStatus extends BaseAgent {
      protected override async *runAsyncImpl(
        context: InvocationContext,
      ): AsyncGenerator<Event, void, void> {
        yield createEvent({
          author: this.name,
          actions: createEventActions({ escalate: context.session.state["status"] === "pass" }),
        })
      }
    }
    const loop = new LoopAgent({
      name: "rounds",
      maxIterations: 5,
      subAgents: [llm("writer", { outputKey: "status" }), new CheckStatus({ name: "check" })],
    })
    const events = await (
      await play(new SequentialAgent({ name: "all", subAgents: [loop, llm("end")] }), {
        writer: [{ content: "fail" }, { content: "pass" }],
        end: [{ content: "done" }],
      })
    ).send("Go")
    expect(events.map(inWords).filter((words) => words !== "")).toEqual([
      "writer: fail",
      "writer: pass",
      "escalates",
      "end: done",
    ])
  })

  test("a custom agent emits the events of its sub-agents and its own events, which take effect", async () => {
    const heard: string[] = []
    class Host extends BaseAgent {
      readonly guest = this.subAgents[0]
      protected override async *runAsyncImpl(
        context: InvocationContext,
      ): AsyncGenerator<Event, void, void> {
        for await (const event of this.guest?.runAsync(context) ?? []) heard.push(inWords(event))
        context.session.state["heard"] = heard.length
        yield createEvent({
          author: this.name,
          content: { role: "model", parts: [{ text: `I heard ${heard.at(-1)}.` }] },
          actions: createEventActions({ stateDelta: { told: true } }),
        })
      }
    }
    const root = new SequentialAgent({
      name: "all",
      subAgents: [
        new Host({
          name: "host",
          subAgents: [
            llm("guest", {
              tools: [
                new FunctionTool({ name: "ping", description: "Pings.", execute: () => "pong" }),
              ],
            }),
          ],
        }),
        llm("last"),
      ],
    })
    const played = await play(root, {
      guest: [call("p", "ping"), { content: "Hi" }],
      last: [{ content: "Bye" }],
    })
    expect((await played.send("Go")).map(inWords)).toEqual([
      "guest calls ping(p)",
      "guest gets ping(p)",
      "guest: Hi",
      "host: I heard guest: Hi.",
      "last: Bye",
    ])
    expect(heard).toEqual(["guest calls ping(p)", "guest gets ping(p)", "guest: Hi"])
    expect(await played.state()).toMatchObject({ heard: 3, told: true })
    expect(played.requests.at(-1)?.messages.map(({ content }) => content)).toContainEqual(
      expect.stringContaining("[host] said: I heard guest: Hi."),
    )
  })
})

describe("sessions", () => {
  test("sessions keep history and state, share user: and app: keys, and drop temp: keys", async () => {
    const agent = llm("a", {
      instruction: "Greet {user:name}.",
      beforeAgentCallback: ({ state }) => {
        state.update({
          "user:seen": state.get("user:seen", 0) + 1,
          "app:all": true,
          "temp:now": 1,
          own: true,
        })
        return undefined
      },
    })
    const { runner, send, state, requests } = await play(
      agent,
      { a: [{ content: "Hello" }, { content: "Again" }, { content: "Other" }, { content: "Bob" }] },
      { state: { "user:name": "Ada" } },
    )
    await send("Hi", { given: "once" })
    await send("Ho")
    expect(requests[1]?.messages.map(({ content }) => content)).toEqual([
      'You are the agent "a".\n\nGreet Ada.',
      "Hi",
      "Hello",
      "Ho",
    ])
    expect(await state()).toEqual({
      "user:name": "Ada",
      "user:seen": 2,
      "app:all": true,
      own: true,
      given: "once",
    })
    const { sessionService, appName } = runner
    const second = await sessionService.createSession({
      appName,
      userId: "ada",
      sessionId: "second",
    })
    expect(second).toMatchObject({
      id: "second",
      appName,
      userId: "ada",
      state: { "user:name": "Ada", "user:seen": 2, "app:all": true },
      events: [],
    })
    expect((await sessionService.createSession({ appName, userId: "bob" })).state).toEqual({
      "app:all": true,
    })
    const stored = await sessionService.getSession({
      appName,
      userId: "ada",
      sessionId:
        (await sessionService.listSessions({ appName, userId: "ada" })).sessions.find(
          ({ id }) => id !== "second",
        )?.id ?? "",
    })
    expect(stored?.events.map(inWords)).toEqual(["user: Hi", "a: Hello", "user: Ho", "a: Again"])
    expect((await sessionService.listSessions({ appName, userId: "ada" })).sessions).toHaveLength(2)
    await sessionService.deleteSession({ appName, userId: "ada", sessionId: "second" })
    expect(
      await sessionService.getSession({ appName, userId: "ada", sessionId: "second" }),
    ).toBeUndefined()
  })

  test("an invocation with an unknown session fails", async () => {
    const runner = new InMemoryRunner({ agent: llm("a") })
    await expect(
      runner
        .runAsync({ userId: "u", sessionId: "none", newMessage: { parts: [{ text: "Hi" }] } })
        .next(),
    ).rejects.toMatchObject({
      code: "session_unknown",
      message: expect.stringContaining("createSession"),
    })
  })

  test("a file that the user sends is passed to the model and stored in the session", async () => {
    const played = await play(llm("a"), { a: [{ content: "A leaf." }] })
    await played.send([
      { text: "What is it?" },
      { inlineData: { mimeType: "image/png", data: "AA==" } },
    ])
    expect(played.requests[0]?.messages).toEqual([
      { role: "system", content: 'You are the agent "a".' },
      {
        role: "user",
        content: [
          { text: "What is it?" },
          { inline_data: { mime_type: "image/png", data: "AA==" } },
        ],
      },
    ])
    const { appName, sessionService } = played.runner
    const stored = await sessionService.getSession({
      appName,
      userId: "ada",
      sessionId: played.sessionId,
    })
    expect(stored?.events[0]?.content).toEqual({
      role: "user",
      parts: [{ text: "What is it?" }, { inlineData: { mimeType: "image/png", data: "AA==" } }],
    })
  })

  test("two invocations at the same time run one after the other", async () => {
    const played = await play(llm("a"), { a: [{ content: "1" }, { content: "2" }] })
    const [one, two] = await Promise.all([played.send("first"), played.send("second")])
    expect([one, two].map((events) => events.map(stringifyContent))).toEqual([["1"], ["2"]])
    expect(played.requests[1]?.messages.map(({ content }) => content)).toEqual([
      'You are the agent "a".',
      "first",
      "1",
      "second",
    ])
  })
})

describe("confirmations and long-running calls", () => {
  const paid: unknown[] = []
  const pay = new FunctionTool({
    name: "pay",
    description: "Pays.",
    requireConfirmation: true,
    execute: (input) => (paid.push(input), "paid"),
  })

  test.each([
    ["a confirmed call", { confirmed: true }, { result: "paid" }, 1],
    ["a rejected call", { confirmed: false }, { error: expect.any(String) }, 0],
  ])(
    "a confirmation is a call of adk_request_confirmation, and the model receives the result of %s",
    async (_, response, result, times) => {
      paid.length = 0
      const played = await play(llm("a", { tools: [pay] }), {
        a: [call("c", "pay", { amount: 5 }), { content: "Done." }],
      })
      const asked = (await played.send("Pay")).at(-1) as Event
      const [confirmation] = getFunctionCalls(asked)
      expect(confirmation).toMatchObject({
        name: "adk_request_confirmation",
        args: {
          originalFunctionCall: { id: "c", name: "pay", args: { amount: 5 } },
          toolConfirmation: { confirmed: false },
        },
      })
      expect(asked).toMatchObject({
        longRunningToolIds: [confirmation?.id],
        actions: { requestedToolConfirmations: { c: { confirmed: false } } },
      })
      const events = await played.send(
        respond(confirmation?.id ?? "", "adk_request_confirmation", response),
      )
      expect(events.map(inWords)).toEqual(["a gets pay(c)", "a: Done."])
      expect(events[0]?.content?.parts?.[0]?.functionResponse?.response).toEqual(result)
      expect(paid).toHaveLength(times)
    },
  )

  test("an event lists its long-running calls, whose results arrive in a later message", async () => {
    const ticket = new LongRunningFunctionTool({
      name: "approve",
      description: "Asks the boss.",
      execute: () => ({ ticket: "T-1" }),
    })
    const played = await play(
      llm("a", {
        tools: [
          ticket,
          new FunctionTool({ name: "ping", description: "Pings.", execute: () => "pong" }),
        ],
      }),
      {
        a: [
          {
            toolCalls: [
              { id: "c", function_name: "approve", function_args: {} },
              { id: "p", function_name: "ping", function_args: {} },
            ],
          },
          { content: "Approved." },
        ],
      },
    )
    const events = await played.send("Ask")
    expect(events[0]).toMatchObject({ longRunningToolIds: ["c"] })
    expect(
      events
        .flatMap(({ content }) => content?.parts ?? [])
        .map(({ functionResponse }) => functionResponse?.response)
        .filter(Boolean),
    ).toEqual(
      expect.arrayContaining([{ result: "pong" }, expect.objectContaining({ status: "pending" })]),
    )
    expect(played.requests).toHaveLength(1)
    await expect(played.send("And?")).rejects.toMatchObject({
      code: "input_refused",
      message: expect.stringContaining("functionResponse"),
    })
    await expect(played.send(respond("other", "approve", {}))).rejects.toMatchObject({
      code: "request_unknown",
    })
    expect((await played.send(respond("c", "approve", { verdict: "yes" }))).map(inWords)).toEqual([
      "a gets approve(c)",
      "a: Approved.",
    ])
    expect(JSON.stringify(played.requests[1]?.messages)).toContain('"verdict":"yes"')
    expect(await played.state()).toEqual({})
  })

  test("the runner shows a confirmation that a tool of an agent tool requires", async () => {
    paid.length = 0
    const clerk = llm("clerk", { tools: [pay] })
    const played = await play(llm("a", { tools: [new AgentTool({ agent: clerk })] }), {
      a: [call("t", "clerk", { request: "pay" }), { content: "Done." }],
      clerk: [call("c", "pay"), { content: "Paid." }],
    })
    const events = await played.send("Pay")
    expect(events.map(inWords)).toEqual([
      "a calls clerk(t)",
      expect.stringMatching(/^clerk calls adk_request_confirmation/),
    ])
    const id = getFunctionCalls(events[1] as Event)[0]?.id ?? ""
    expect(
      (await played.send(respond(id, "adk_request_confirmation", { confirmed: true }))).map(
        inWords,
      ),
    ).toEqual(["a gets clerk(t)", "a: Done."])
    expect(paid).toHaveLength(1)
  })

  test("tools of a toolset can require a confirmation and can be long-running", async () => {
    paid.length = 0
    class Bank extends BaseToolset {
      async getTools() {
        return [
          pay,
          new LongRunningFunctionTool({
            name: "approve",
            description: "Asks the boss.",
            execute: () => ({ ticket: "T-1" }),
          }),
        ]
      }
    }
    const played = await play(llm("a", { tools: [new Bank()] }), {
      a: [call("c", "pay"), call("d", "approve"), { content: "Done." }],
    })
    const asked = (await played.send("Pay")).at(-1) as Event
    expect(paid).toEqual([])
    const id = getFunctionCalls(asked)[0]?.id ?? ""
    const waiting = await played.send(respond(id, "adk_request_confirmation", { confirmed: true }))
    expect(paid).toHaveLength(1)
    expect(waiting.at(-1)).toMatchObject({
      longRunningToolIds: ["d"],
      content: {
        parts: [
          {
            functionResponse: {
              name: "approve",
              response: { status: "pending", ticket: { ticket: "T-1" } },
            },
          },
        ],
      },
    })
    expect((await played.send(respond("d", "approve", { ok: true }))).map(inWords)).toEqual([
      "a gets approve(d)",
      "a: Done.",
    ])
  })

  test("a function response without a pending request is refused", async () => {
    const played = await play(llm("a"), {})
    await expect(played.send(respond("c", "approve", {}))).rejects.toMatchObject({
      code: "input_refused",
      message: expect.stringContaining("no text"),
    })
  })
})

describe("errors and aborted invocations", () => {
  test("the error of a run is thrown after all events before it", async () => {
    const root = new SequentialAgent({
      name: "all",
      subAgents: [llm("a", { outputKey: "kept" }), llm("b")],
    })
    const played = await play(root, { a: [{ content: "One" }], b: [{ fails: "no power" }] })
    const events: string[] = []
    const read = async () => {
      for await (const event of played.runner.runAsync({
        userId: "ada",
        sessionId: played.sessionId,
        newMessage: { parts: [{ text: "Go" }] },
      }))
        events.push(inWords(event))
    }
    await expect(read()).rejects.toMatchObject({
      code: "model_call_failed",
      message: expect.stringMatching(/"b".*no power/),
    })
    expect(events).toEqual(["a: One"])
    expect(await played.state()).toEqual({ kept: "One" })
  })

  test("the constructor of a runner throws every problem of agents that do not compile", () => {
    expect(
      () =>
        new InMemoryRunner({
          agent: new SequentialAgent({
            name: "user",
            subAgents: [llm("a", { outputKey: "_user_message_count" })],
          }),
        }),
    ).toThrow(/"user"[^]*_user_message_count/)
  })

  test("an agent without a model uses the default model, and fails if there is none", async () => {
    const played = await play(
      new LlmAgent({ name: "a" }),
      { a: [{ content: "Hi" }] },
      { defaultModel: "small" },
    )
    expect((await played.send("Hello")).map(inWords)).toEqual(["a: Hi"])
    await expect((await play(new LlmAgent({ name: "a" }), {})).send("Hello")).rejects.toMatchObject(
      { code: "service_missing" },
    )
  })

  test("an unregistered model fails the first invocation with an error that names the model", async () => {
    const played = await play(llm("a"), {}, { models: {} })
    await expect(played.send("Hi")).rejects.toMatchObject({
      code: "service_missing",
      message: expect.stringContaining('"small"'),
    })
  })

  test("an aborted invocation ends without an error, and the session can continue", async () => {
    const asked = deferred()
    let stopped = false
    const models: ModelServices = {
      small: {
        call: (_request, { signal }) => (
          asked.settle(),
          stopped
            ? Promise.resolve({ content: "Hi" })
            : new Promise((_, reject) =>
                signal.addEventListener("abort", () => ((stopped = true), reject(signal.reason))),
              )
        ),
      },
    }
    const played = await play(llm("a"), {}, { models })
    const abort = new AbortController()
    const events = played.runner.runAsync({
      userId: "ada",
      sessionId: played.sessionId,
      newMessage: { parts: [{ text: "Go" }] },
      abortSignal: abort.signal,
    })
    const end = events.next()
    await asked.promise
    abort.abort()
    expect(await end).toEqual({ done: true, value: undefined })
    expect(stopped).toBe(true)
    expect((await played.send("Again")).map(inWords)).toEqual(["a: Hi"])
  })

  test("an invocation continues after the caller stops reading its events", async () => {
    const played = await play(
      new SequentialAgent({
        name: "all",
        subAgents: [llm("a", { outputKey: "one" }), llm("b", { outputKey: "two" })],
      }),
      { a: [{ content: "1" }, { content: "3" }], b: [{ content: "2" }, { content: "4" }] },
    )
    for await (const event of played.runner.runAsync({
      userId: "ada",
      sessionId: played.sessionId,
      newMessage: { parts: [{ text: "Go" }] },
    })) {
      expect(inWords(event)).toBe("a: 1")
      break
    }
    expect((await played.send("On")).map(inWords)).toEqual(["a: 3", "b: 4"])
    expect(await played.state()).toEqual({ one: "3", two: "4" })
  })
})

function deferred(): { readonly promise: Promise<void>; settle(): void } {
  let settle = (): void => {}
  const promise = new Promise<void>((resolve) => (settle = resolve))
  return { promise, settle: () => settle() }
}
