import { compileOrThrow } from "agent-statecharts/compiler"
import { toMachine } from "agent-statecharts/runtime"

const chart = compileOrThrow({
  rootAgentId: "trip",
  agents: [
    {
      type: "SequentialAgent",
      id: "trip",
      subAgents: [{ agentId: "planner" }, { agentId: "traveler" }, { agentId: "booker" }],
    },
    {
      type: "LlmAgent",
      id: "planner",
      model: "scripted",
      instructions: "Plan a weekend.",
      outputKey: "plan",
    },
    { type: "HumanAgent", id: "traveler", prompt: "Shall I book it?", outputKey: "verdict" },
    {
      type: "LlmAgent",
      id: "booker",
      model: "scripted",
      instructions: "Book {plan} if the verdict is yes: {verdict}",
      outputKey: "booking",
    },
  ],
})

// Replace this object by a model adapter. See docs/models.md.
const scripted = {
  call: async ({ agent, state }: { agent: string; state: Record<string, unknown> }) =>
    agent === "planner"
      ? { content: "Two days in Rome, by night train." }
      : { content: state["verdict"] === "yes" ? "Booked." : "Nothing is booked." },
}

/** The agents as an XState machine, with the ids of the agents as its state values. */
export const tripAgents = toMachine(chart, { models: { scripted } })
