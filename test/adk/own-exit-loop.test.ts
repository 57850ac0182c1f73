import {
  EXIT_LOOP,
  FunctionTool,
  LlmAgent,
  LoopAgent,
  SequentialAgent,
} from "agent-statecharts/adk"
import { expect, test } from "vitest"
import { call, inWords, play } from "./play-agent.js"

const llm = (name: string, tools: LlmAgent["tools"] = []) =>
  new LlmAgent({ name, model: "small", tools })

/** The tool of the loop example of ADK's documentation. */
const ownExit = (seen: unknown[] = []) =>
  new FunctionTool({
    name: "exit_loop",
    description: "Call this function only when the critique says that no changes are needed.",
    execute: (_input, toolContext) => {
      seen.push(toolContext.agentName)
      toolContext.actions.escalate = true
      return { left: true }
    },
  })

test("a user's tool named exit_loop runs its own code and ends the loop", async () => {
  const seen: unknown[] = []
  const loop = new LoopAgent({
    name: "rounds",
    maxIterations: 5,
    subAgents: [llm("writer"), llm("critic", [ownExit(seen)])],
  })
  const events = await (
    await play(new SequentialAgent({ name: "all", subAgents: [loop, llm("end")] }), {
      writer: [{ content: "1" }, { content: "2" }],
      critic: [{ content: "more" }, call("x", "exit_loop")],
      end: [{ content: "done" }],
    })
  ).send("Go")
  expect(events.map(inWords)).toEqual([
    "writer: 1",
    "critic: more",
    "writer: 2",
    "critic calls exit_loop(x)",
    "critic gets exit_loop(x), escalates",
    "end: done",
  ])
  expect(seen).toEqual(["critic"])
})

test("a user's tool named exit_loop is accepted without a description from JavaScript", async () => {
  const options = { name: "exit_loop", execute: () => ({}) }
  // JavaScript programs can omit the description.
  const tool = new FunctionTool(options as unknown as ConstructorParameters<typeof FunctionTool>[0])
  const events = await (await play(llm("r", [tool]), { r: [{ content: "hi" }] })).send("Go")
  expect(events.map(inWords)).toEqual(["r: hi"])
})

test("one tree can contain agents with the built-in exit_loop and agents with their own exit_loop", async () => {
  const seen: unknown[] = []
  const loop = (name: string, critic: LlmAgent) =>
    new LoopAgent({ name, maxIterations: 3, subAgents: [critic] })
  const tree = new SequentialAgent({
    name: "all",
    subAgents: [
      loop("first", llm("built_in", [EXIT_LOOP])),
      loop("second", llm("own", [ownExit(seen)])),
    ],
  })
  const leave = { ...call("x", "exit_loop") }
  const events = await (await play(tree, { built_in: [leave], own: [leave] })).send("Go")
  expect(events.map(inWords)).toEqual([
    "built_in calls exit_loop(x)",
    "built_in gets exit_loop(x), escalates",
    "own calls exit_loop(x)",
    "own gets exit_loop(x), escalates",
  ])
  expect(seen).toEqual(["own"])
})
