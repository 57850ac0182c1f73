/** A poet and a critic, who take turns until the critic says `good`. */
export const workflow = {
  rootAgentId: "rounds",
  agents: [
    {
      type: "LoopAgent",
      id: "rounds",
      subAgents: [{ agentId: "poet" }, { agentId: "critic" }],
      maxAgentLoopIterations: 3,
      loopExitCondition: "session_state.get('verdict') == 'good'",
    },
    {
      type: "LlmAgent",
      id: "poet",
      model: "poet",
      instructions: "Write a haiku.",
      outputKey: "poem",
    },
    {
      type: "LlmAgent",
      id: "critic",
      model: "critic",
      instructions: "Say good, or why not.",
      outputKey: "verdict",
    },
  ],
}
