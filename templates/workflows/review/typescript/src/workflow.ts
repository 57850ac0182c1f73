import {
  createHumanAgent,
  createLlmAgent,
  createLoopAgent,
  createSequentialAgent,
  GraphCompose,
} from "agent-statecharts/adk"

/** A writer and a critic take turns until the critic answers good. Then a person decides about the publication. */
export const workflow = new GraphCompose()
  .adk("review")
  .withWorkflow((builder) =>
    builder
      .rootAgent("review")
      .agent(
        createSequentialAgent({
          id: "review",
          subAgents: [
            { agentId: "rounds" },
            { agentId: "approver" },
            { agentId: "publisher", when: "session_state.get('decision') == 'publish'" },
          ],
        }),
      )
      .agent(
        createLoopAgent({
          id: "rounds",
          subAgents: [{ agentId: "writer" }, { agentId: "critic" }],
          maxAgentLoopIterations: 3,
          loopExitCondition: "session_state.get('verdict', '').strip().lower().startswith('good')",
        }),
      )
      .agent(
        createLlmAgent({
          id: "writer",
          description: "Writes the article.",
          model: "assistant",
          instructions:
            "Write the article that the user asks for, in two or three sentences. Answer with the article only.\n\nYour last version: {article?}\n\nThe critic says: {verdict?}",
          outputKey: "article",
        }),
      )
      .agent(
        createLlmAgent({
          id: "critic",
          description: "Reviews the article.",
          model: "assistant",
          instructions:
            "Review this article:\n\n{article}\n\nIf it is clear and complete, answer good. Otherwise, name the most important change in one sentence.",
          outputKey: "verdict",
        }),
      )
      .agent(
        createHumanAgent({
          id: "approver",
          prompt: "Publish this article?\n\n{article}",
          choices: ["publish", "reject"],
          show: ["verdict"],
          outputKey: "decision",
        }),
      )
      .agent(
        createLlmAgent({
          id: "publisher",
          description: "Writes the announcement.",
          model: "assistant",
          instructions: "Write a headline for this article:\n\n{article}",
          outputKey: "headline",
        }),
      )
      .build(),
  )
  .withInitialPrompt("Write a short article about the new tram line.")
  .end()
  .toConfig()
