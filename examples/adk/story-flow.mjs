// ADK's custom agent: a class that decides which of its agents runs next. A story that turns out sad is written anew.
// Run it: node examples/adk/story-flow.mjs
import { compile } from "agent-statecharts"
import {
  BaseAgent,
  InMemoryRunner,
  isFinalResponse,
  LlmAgent,
  LoopAgent,
  SequentialAgent,
  stringifyContent,
} from "agent-statecharts/adk"
import { drawMermaid } from "agent-statecharts/drawing"

class StoryFlowAgent extends BaseAgent {
  constructor(generator, revision, checks) {
    super({
      name: "story_flow",
      description: "Writes, revises and checks a story.",
      subAgents: [generator, revision, checks],
    })
    Object.assign(this, { generator, revision, checks })
  }

  async *runAsyncImpl(context) {
    yield* this.generator.runAsync(context)
    if (!context.session.state.current_story) return
    yield* this.revision.runAsync(context)
    yield* this.checks.runAsync(context)
    if (context.session.state.tone === "negative") yield* this.generator.runAsync(context)
  }
}

const llm = (name, instruction, outputKey) =>
  new LlmAgent({ name, model: "gemini-2.5-flash", instruction, outputKey, includeContents: "none" })

const storyFlow = new StoryFlowAgent(
  llm(
    "generator",
    "Write a bedtime story of two sentences about {topic}. The last one was: {tone?}",
    "current_story",
  ),
  new LoopAgent({
    name: "revision",
    maxIterations: 2,
    subAgents: [
      llm("critic", "What does this story need? {current_story}", "criticism"),
      llm("reviser", "Revise {current_story} by this: {criticism}", "current_story"),
    ],
  }),
  new SequentialAgent({
    name: "checks",
    subAgents: [
      llm("grammar", "Mistakes of grammar in: {current_story}", "mistakes"),
      llm("tone", "positive, neutral or negative? {current_story}", "tone"),
    ],
  }),
)

// Stands in for the model: each agent has its answers in order.
const answers = {
  generator: [
    "A robot swept a station at night. Nobody came.",
    "A robot swept a station at night. At five the baker brought it a warm roll, for the smell.",
  ],
  critic: ["Say what it is waiting for.", "Let us hear the station."],
  reviser: [
    "A robot swept a station at night and waited for a train. Nobody came.",
    "A robot swept a humming station and waited for a train that had been cancelled for good.",
  ],
  grammar: ["none"],
  tone: ["negative"],
}
const scripted = { call: async ({ agent }) => ({ content: answers[agent].shift() }) }

// The class is a chart like any other: its agents are states inside of it.
const { chart } = compile(storyFlow)
console.log(
  drawMermaid(chart)
    .split("\n")
    .filter((line) => /thinking -->/.test(line))
    .map((line) => line.trim())
    .join("\n"),
)

const runner = new InMemoryRunner({
  agent: storyFlow,
  appName: "stories",
  models: { "gemini-2.5-flash": scripted },
})
const { id } = await runner.sessionService.createSession({
  appName: "stories",
  userId: "ada",
  state: { topic: "a robot that sweeps a station" },
})
for await (const event of runner.runAsync({
  userId: "ada",
  sessionId: id,
  newMessage: { role: "user", parts: [{ text: "A story, please." }] },
})) {
  if (isFinalResponse(event)) console.log(`${event.author}: ${stringifyContent(event)}`)
}
const { state } = await runner.sessionService.getSession({
  appName: "stories",
  userId: "ada",
  sessionId: id,
})
console.log(`In the end: ${state.current_story}`)
