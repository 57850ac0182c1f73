import { createLlmAgent, createSequentialAgent, GraphCompose } from "agent-statecharts/adk"

/** Three agents work in sequence: one collects facts, one writes a text, and one shortens it. */
export const workflow = new GraphCompose()
  .adk("pipeline")
  .withWorkflow((builder) =>
    builder
      .rootAgent("pipeline")
      .agent(
        createSequentialAgent({
          id: "pipeline",
          subAgents: [{ agentId: "researcher" }, { agentId: "writer" }, { agentId: "editor" }],
        }),
      )
      .agent(
        createLlmAgent({
          id: "researcher",
          description: "Collects facts.",
          model: "assistant",
          instructions: "List three facts about the topic of the user. Write one line per fact.",
          outputKey: "facts",
        }),
      )
      .agent(
        createLlmAgent({
          id: "writer",
          description: "Writes a text.",
          model: "assistant",
          instructions: "Write one paragraph from these facts:\n\n{facts}",
          outputKey: "draft",
        }),
      )
      .agent(
        createLlmAgent({
          id: "editor",
          description: "Shortens the text.",
          model: "assistant",
          instructions: "Shorten this text to one sentence:\n\n{draft}",
          outputKey: "article",
        }),
      )
      .build(),
  )
  .withInitialPrompt("Trams in Oslo")
  .end()
  .toConfig()
