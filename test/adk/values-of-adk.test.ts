import { describe, expect, test } from "vitest"
import type { LlmResponse } from "agent-statecharts/adk"
import {
  ApigeeLlm,
  App,
  BaseLlm,
  Context,
  createEvent,
  createEventActions,
  createResumabilityConfig,
  FINISH_TASK_SUCCESS_RESULT,
  FINISH_TASK_TOOL_NAME,
  FinishTaskTool,
  FunctionTool,
  Gemini,
  InMemoryRunner,
  InvocationContext,
  LlmAgent,
  programOf,
  RoutedLlm,
  START,
  State,
  ToolConfirmation,
  toStructuredEvents,
  validateAppName,
  Workflow,
} from "agent-statecharts/adk"

const newMessage = { role: "user", parts: [{ text: "Go." }] }

describe("State", () => {
  test("State reads the delta first and writes to both objects", () => {
    const value = { a: 1, b: 2 }
    const delta: Record<string, unknown> = { b: 3 }
    const state = new State(value, delta)
    expect([state.get("a"), state.get("b"), state.get("c", 4), state.has("c")]).toEqual([
      1,
      3,
      4,
      false,
    ])
    state.set("c", 5)
    state.update({ a: 6 })
    expect([value, delta]).toEqual([
      { a: 6, b: 2, c: 5 },
      { a: 6, b: 3, c: 5 },
    ])
    expect(state.toRecord()).toEqual({ a: 6, b: 3, c: 5 })
  })

  test("hasDelta returns whether the state has changed", () => {
    const state = new State({ a: 1 })
    expect(state.hasDelta()).toBe(false)
    state.set("a", 2)
    expect(state.hasDelta()).toBe(true)
    expect(new State({}, { a: 1 }).hasDelta()).toBe(true)
  })

  test("a key named __proto__ is an ordinary key", () => {
    const value = {}
    const state = new State(value)
    state.set("__proto__", { polluted: true })
    expect([Object.getPrototypeOf(value), state.has("__proto__"), state.has("toString")]).toEqual([
      Object.prototype,
      true,
      false,
    ])
  })

  test("State has the prefixes of ADK", () => {
    expect([State.APP_PREFIX, State.USER_PREFIX, State.TEMP_PREFIX]).toEqual([
      "app:",
      "user:",
      "temp:",
    ])
  })
})

test("contexts, states and confirmations are instances of their classes", async () => {
  const seen: unknown[] = []
  const look = new FunctionTool({
    name: "look",
    description: "Looks.",
    execute: (_args, context) => {
      seen.push(context instanceof Context, context?.state instanceof State)
      if (context?.toolConfirmation === undefined) {
        context?.requestConfirmation({ hint: "Really?" })
        const requested = Object.values(context?.actions.requestedToolConfirmations ?? {})
        seen.push(requested.every((one) => one instanceof ToolConfirmation))
        return "waiting"
      }
      seen.push(context.toolConfirmation instanceof ToolConfirmation, context.toolConfirmation)
      return "looked"
    },
  })
  const answers = [
    { toolCalls: [{ id: "1", function_name: "look", function_args: {} }] },
    { content: "Done." },
  ]
  const runner = new InMemoryRunner({
    agent: new LlmAgent({ name: "a", model: "small", tools: [look] }),
    models: { small: { call: async () => answers.shift() } },
  })
  const { appName } = runner
  const { id } = await runner.sessionService.createSession({ appName, userId: "ada" })
  const send = async (message: object) => {
    let asked: string | undefined
    for await (const event of runner.runAsync({
      userId: "ada",
      sessionId: id,
      newMessage: message,
    }))
      asked = event.longRunningToolIds?.[0] ?? asked
    return asked
  }
  const asked = await send(newMessage)
  const functionResponse = {
    id: asked,
    name: "adk_request_confirmation",
    response: { confirmed: true, payload: 3 },
  }
  await send({ role: "user", parts: [{ functionResponse }] })
  expect(seen).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    { hint: "Really?", confirmed: true, payload: 3 },
  ])
  expect(InvocationContext).toBeTypeOf("function")
})

test("a ToolConfirmation has an empty hint by default", () => {
  expect(new ToolConfirmation({ confirmed: false })).toEqual({ hint: "", confirmed: false })
})

describe("the names of apps", () => {
  const rootAgent = new LlmAgent({ name: "a" })
  test("the name of an app starts with a letter and contains letters, digits, underscores and hyphens", () => {
    for (const name of ["a", "Desk", "travel_desk-2"]) {
      expect(() => validateAppName(name)).not.toThrow()
      expect(new App({ name, rootAgent }).name).toBe(name)
    }
  })
  test.each(["", "2a", "a b", "a.b", "é", "user", "a\n"])(
    "the name of an app cannot be %j",
    (name) => {
      expect(() => validateAppName(name)).toThrow(
        expect.objectContaining({ code: "definition_refused" }) as Error,
      )
      expect(() => new App({ name, rootAgent })).toThrow(/cannot have the name/)
    },
  )
})

test("createResumabilityConfig adds the default", () => {
  expect([createResumabilityConfig(), createResumabilityConfig({ isResumable: true })]).toEqual([
    { isResumable: false },
    { isResumable: true },
  ])
})

describe("toStructuredEvents", () => {
  test("the parts of an event are listed in order, and a final response is marked", () => {
    const parts = [
      { text: "Hmm.", thought: true },
      { text: "Hello." },
      { text: "" },
      { functionCall: {} },
    ]
    expect(toStructuredEvents(createEvent({ content: { role: "model", parts } }))).toEqual([
      { type: "thought", content: "Hmm." },
      { type: "content", content: "Hello." },
    ])
    const content = { role: "model", parts: [{ text: "Hello." }] }
    expect(toStructuredEvents(createEvent({ content }))).toEqual([
      { type: "content", content: "Hello." },
      { type: "finished" },
    ])
  })

  test("calls, results, code and confirmations are listed", () => {
    const call = { id: "1", name: "look", args: {} }
    const result = { id: "1", name: "look", response: { found: 2 } }
    const parts = [
      { functionCall: call },
      { functionResponse: result },
      { executableCode: { code: "1" } },
      { codeExecutionResult: { output: "1" } },
    ]
    const confirmations = { "1": { hint: "", confirmed: false } }
    expect(
      toStructuredEvents(
        createEvent({
          content: { parts },
          actions: createEventActions({ requestedToolConfirmations: confirmations }),
        }),
      ),
    ).toEqual([
      { type: "tool_call", call },
      { type: "tool_result", result },
      { type: "call_code", code: { code: "1" } },
      { type: "code_result", result: { output: "1" } },
      { type: "tool_confirmation", confirmations },
    ])
  })

  test("an event with an error code is only an error", () => {
    const event = { errorCode: "X", content: { parts: [{ text: "Hello." }] } }
    expect(toStructuredEvents(createEvent(event))).toEqual([
      { type: "error", error: new Error("X") },
    ])
    expect(toStructuredEvents(createEvent({ ...event, errorMessage: "no power" }))).toEqual([
      { type: "error", error: new Error("no power") },
    ])
  })
})

describe("FinishTaskTool", () => {
  const schema = {
    type: "object",
    properties: { price: { type: "number" } },
    required: ["price"],
  } as const

  test("FinishTaskTool declares its result and returns an error if a required field is missing", async () => {
    const tool = new FinishTaskTool(schema)
    expect([tool.name, tool.name === FINISH_TASK_TOOL_NAME]).toEqual(["finish_task", true])
    expect(tool._getDeclaration().parametersJsonSchema).toEqual(schema)
    expect(tool.extractOutput({ price: 3 })).toEqual({ price: 3 })
    expect(await tool.runAsync({ args: { price: 3 } })).toBe(FINISH_TASK_SUCCESS_RESULT)
    expect(await tool.runAsync({ args: {} })).toMatchObject({
      error: expect.stringMatching(/missing required parameters: price/) as string,
    })
  })

  test("FinishTaskTool wraps a result that is not an object", async () => {
    const tool = new FinishTaskTool({ type: "array", items: { type: "string" } })
    expect(tool._getDeclaration().parametersJsonSchema).toMatchObject({ required: ["result"] })
    expect(tool.extractOutput({ result: ["a"] })).toEqual(["a"])
    expect(await tool.runAsync({ args: {} })).toHaveProperty("error")
    expect(new FinishTaskTool()._getDeclaration().parametersJsonSchema).toMatchObject({
      properties: { result: { type: "string" } },
    })
  })

  test("FinishTaskTool has no effect in a task and is refused elsewhere", async () => {
    const agent = (mode: "task" | "single_turn") =>
      new LlmAgent({ name: "buyer", model: "small", mode, tools: [new FinishTaskTool()] })
    expect(() => programOf(agent("single_turn"))).toThrow(/lists the tool "finish_task".*mode/)
    const flow = new Workflow({ name: "flow", edges: [[START, agent("task")]] })
    const call = async () => ({
      toolCalls: [{ id: "1", function_name: "finish_task", function_args: { result: "done" } }],
    })
    const runner = new InMemoryRunner({ agent: flow, models: { small: { call } } })
    const outputs: unknown[] = []
    for await (const { output } of runner.runEphemeral({ userId: "ada", newMessage }))
      if (output !== undefined) outputs.push(output)
    expect(outputs).toContainEqual({ result: "done" })
  })
})

describe("models that are classes", () => {
  class Scripted extends BaseLlm {
    readonly responses: readonly LlmResponse[]
    constructor(responses: readonly LlmResponse[]) {
      super({ model: "scripted" })
      this.responses = responses
    }
    override async *generateContentAsync() {
      yield* this.responses
    }
    override connect(): never {
      throw new Error("not live")
    }
  }
  const play = async (model: BaseLlm) => {
    const runner = new InMemoryRunner({ agent: new LlmAgent({ name: "a", model }) })
    for await (const _ of runner.runEphemeral({ userId: "ada", newMessage })) continue
  }
  const partial = { partial: true, content: { parts: [{ text: "He" }] } }

  test.each([
    [
      "yields nothing complete",
      [partial],
      "service_answer_malformed",
      /not return a complete response/,
    ],
    [
      "yields an error",
      [{ errorCode: "429", errorMessage: "busy" }],
      "model_call_failed",
      /429: busy/,
    ],
    ["yields only a message", [{ errorMessage: "busy" }], "model_call_failed", /failed: busy/],
  ] as const)("a model that %s fails the run with a code", async (_, responses, code, message) => {
    await expect(play(new Scripted(responses))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    })
  })

  test("callbacks receive the code of an error", async () => {
    const codes: unknown[] = []
    const look = new FunctionTool({
      name: "look",
      description: "Looks.",
      execute: () => Promise.reject(new Error("dark")),
    })
    const answers: object[] = [
      { toolCalls: [{ id: "1", function_name: "look", function_args: {} }] },
    ]
    const call = async () => answers.shift() ?? Promise.reject(new Error("no power"))
    const agent = new LlmAgent({
      name: "a",
      model: "small",
      tools: [look],
      onToolErrorCallback: ({ error }) =>
        void codes.push([error.message, "code" in error && error.code]),
      onModelErrorCallback: ({ error }) => {
        codes.push("code" in error && error.code)
        return { content: { role: "model", parts: [{ text: "Sorry." }] } }
      },
    })
    const runner = new InMemoryRunner({ agent, models: { small: { call } } })
    for await (const _ of runner.runEphemeral({ userId: "ada", newMessage })) continue
    expect(codes).toEqual([
      [expect.stringMatching(/dark/), "tool_call_failed"],
      "model_call_failed",
    ])
  })

  test("Google's own models are refused with the replacement", () => {
    expect(() => new Gemini({ model: "gemini-2.5-flash" })).toThrow(/Gemini.*docs\/models\.md/)
    expect(() => new ApigeeLlm()).toThrow(/ApigeeLlm.*docs\/models\.md/)
  })

  test("a router that chooses no model fails the run with a code", async () => {
    const model = new RoutedLlm({ models: { a: new Scripted([]) }, router: () => "b" })
    await expect(play(model)).rejects.toMatchObject({
      code: "unknown_route",
      message: expect.stringMatching(/RoutedLlm "routed-llm" chose "b".*keys: a/) as string,
    })
  })
})
