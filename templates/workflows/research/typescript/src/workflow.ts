import {
  createLlmAgent,
  createParallelAgent,
  createSequentialAgent,
  GraphCompose,
} from "agent-statecharts/adk"

/** Three researchers work in parallel, and a writer combines their notes into one report. */
export const workflow = new GraphCompose()
  .adk("report")
  .withWorkflow((builder) =>
    builder
      .rootAgent("report")
      .agent(
        createSequentialAgent({
          id: "report",
          subAgents: [{ agentId: "researchers" }, { agentId: "writer" }],
        }),
      )
      .agent(
        createParallelAgent({
          id: "researchers",
          subAgents: [{ agentId: "costs" }, { agentId: "benefits" }, { agentId: "risks" }],
        }),
      )
      .agent(
        createLlmAgent({
          id: "costs",
          description: "Researches costs.",
          model: "assistant",
          instructions: "Write three short notes about the costs of the user's topic.",
          outputKey: "costs_notes",
        }),
      )
      .agent(
        createLlmAgent({
          id: "benefits",
          description: "Researches benefits.",
          model: "assistant",
          instructions: "Write three short notes about the benefits of the user's topic.",
          outputKey: "benefits_notes",
        }),
      )
      .agent(
        createLlmAgent({
          id: "risks",
          description: "Researches risks.",
          model: "assistant",
          instructions: "Write three short notes about the risks of the user's topic.",
          outputKey: "risks_notes",
        }),
      )
      .agent(
        createLlmAgent({
          id: "writer",
          description: "Writes the report.",
          model: "assistant",
          instructions:
            "Write a report of one paragraph from these notes.\n\nCosts:\n{costs_notes}\n\nBenefits:\n{benefits_notes}\n\nRisks:\n{risks_notes}",
          outputKey: "report",
        }),
      )
      .build(),
  )
  .withInitialPrompt("Cargo bikes for a city of 200,000 people")
  .end()
  .toConfig()
