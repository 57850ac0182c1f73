import { compile } from "agent-statecharts"
import type { Content, NodeContext } from "agent-statecharts/adk"
import {
  FunctionTool,
  getFunctionCalls,
  HumanAgent,
  LlmAgent,
  SequentialAgent,
  START,
  Workflow,
  WorkflowAgent,
} from "agent-statecharts/adk"
import { expect, test } from "vitest"
import { call, play } from "./play-agent.js"

const line = () =>
  new SequentialAgent({
    name: "line",
    subAgents: [
      new LlmAgent({ name: "writer", model: "small", instruction: "Write.", outputKey: "draft" }),
      new HumanAgent({
        name: "editor",
        description: "Decides.",
        prompt: "Publish {draft}?",
        choices: ["publish", "reject"],
        show: ["draft"],
        outputKey: "decision",
        expiresIn: "2h",
        onExpiry: "reject",
      }),
    ],
  })

test("a HumanAgent has the fields of its config, and a misspelled field is reported", () => {
  const { chart, diagnostics } = compile(line())
  expect(diagnostics).toEqual([])
  expect(chart?.agents["editor"]).toEqual({
    type: "HumanAgent",
    description: "Decides.",
    prompt: "Publish {draft}?",
    choices: ["publish", "reject"],
    show: ["draft"],
    outputKey: "decision",
    expiresInMs: 7_200_000,
    onExpiry: "reject",
  })
  const misspelled = { name: "editor", choises: ["yes"] }
  expect(compile(new HumanAgent(misspelled)).diagnostics).toMatchObject([
    {
      code: "unknown_field",
      field: "choises",
      fix: expect.stringContaining('"choices"') as string,
    },
  ])
})

test("a copy of a HumanAgent and a WorkflowAgent compiles to the same chart", () => {
  const desk = () =>
    new SequentialAgent({
      name: "desk",
      subAgents: [
        new HumanAgent({ name: "editor", prompt: "Publish?", outputKey: "decision" }),
        new WorkflowAgent({ name: "research", workflow: "research", outputKey: "facts" }),
      ],
    })
  const { chart, diagnostics } = compile(desk().clone())
  expect(diagnostics).toEqual([])
  expect(chart).toEqual(compile(desk()).chart)
})

test("a HumanAgent asks with a function call, and accepts only its choices", async () => {
  const { send, state } = await play(line(), { writer: [{ content: "tea" }] })
  const [asked] = (await send("Go.")).flatMap(getFunctionCalls)
  expect(asked).toMatchObject({
    name: "adk_request_input",
    args: {
      message: "Publish tea?",
      choices: ["publish", "reject"],
      shown: { draft: "tea" },
      response_schema: { enum: ["publish", "reject"] },
    },
  })
  const reply = (result: string): Content["parts"] => [
    { functionResponse: { id: asked?.id ?? "", name: "adk_request_input", response: { result } } },
  ]
  await expect(send(reply("perhaps") ?? [])).rejects.toMatchObject({
    code: "input_refused",
    message: expect.stringContaining('"publish", "reject"') as string,
  })
  await send(reply(" Reject") ?? [])
  expect(await state()).toMatchObject({ decision: "reject" })
})

test("a tool that asks a question with choices receives the choice as it is declared", async () => {
  const answers: (string | null)[] = []
  const book = new FunctionTool({
    name: "book",
    description: "Books.",
    execute: async (_, context) => {
      answers.push(
        await context.ask("Which class?", { choices: ["First", "Second"], details: { seats: 2 } }),
      )
      return "booked"
    },
  })
  const agent = new LlmAgent({ name: "clerk", model: "small", instruction: "Book.", tools: [book] })
  const { send } = await play(agent, { clerk: [call("1", "book"), { content: "Done." }] })
  const [, asked] = (await send("Go.")).flatMap(getFunctionCalls)
  expect(asked).toMatchObject({
    name: "adk_request_input",
    args: { message: "Which class?", details: { seats: 2 }, choices: ["First", "Second"] },
  })
  await expect(send("third")).rejects.toMatchObject({ code: "input_refused" })
  await send(" SECOND ")
  expect(answers).toEqual(["Second"])
})

test("the function of a node can ask a question with choices before a HumanAgent in the same graph", async () => {
  const pick = async (context: NodeContext, topic: string): Promise<string> =>
    `${topic} in ${await context.ask("Which color?", { choices: ["Red", "Blue"] })}`
  const editor = new HumanAgent({
    name: "editor",
    prompt: "Really?",
    choices: ["Yes", "No"],
    outputKey: "decision",
  })
  const flow = new Workflow({ name: "flow", edges: [[START, pick, editor]] })
  const { send, state } = await play(flow, {})
  const [color] = (await send("Tea")).flatMap(getFunctionCalls)
  expect(color?.args).toMatchObject({ message: "Which color?", choices: ["Red", "Blue"] })
  const [sure] = (await send("blue")).flatMap(getFunctionCalls)
  expect(sure?.args).toMatchObject({ message: "Really?", choices: ["Yes", "No"] })
  await send("YES")
  expect(await state()).toMatchObject({ decision: "Yes" })
})

test("an invalid answerSchema of a question fails the function", async () => {
  for (const options of [
    { answerSchema: { type: "object" }, choices: ["Yes"] },
    { answerSchema: "object" as never },
  ]) {
    const agent = new LlmAgent({
      name: "clerk",
      model: "small",
      tools: [
        new FunctionTool({
          name: "book",
          description: "Books.",
          execute: (_, context) => context.ask("Which?", options),
        }),
      ],
    })
    const { send, requests } = await play(agent, {
      clerk: [call("1", "book"), { content: "Done." }],
    })
    await send("Go.")
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain("the answerSchema of a question")
  }
})

test("a function fails if the choices of its question are not a list of different texts", async () => {
  const asking = (choices: unknown) =>
    new FunctionTool({
      name: "book",
      description: "Books.",
      // A JavaScript program can pass anything.
      execute: (_, context) => context.ask("Which?", { choices: choices as string[] }),
    })
  for (const choices of [[], "First", ["First", " first "], [""], [1]]) {
    const agent = new LlmAgent({
      name: "clerk",
      model: "small",
      instruction: "Book.",
      tools: [asking(choices)],
    })
    const { send, requests } = await play(agent, {
      clerk: [call("1", "book"), { content: "Done." }],
    })
    await send("Go.")
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain("choices of a question")
  }
})
