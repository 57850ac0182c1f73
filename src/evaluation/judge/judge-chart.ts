import { compileOrThrow } from "../../compiler/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { JudgeQuestion } from "./judge.js"

/**
 * Returns the workflow that calls a judge model. It consists of one agent without tools, which has
 * the name of the criterion.
 *
 * @throws AgentStatechartsError `config_invalid` if the generation settings are not valid
 */
export const judgeChart = ({
  criterion,
  model,
  generationConfig,
  task,
}: Omit<JudgeQuestion, "material">): AgentChart =>
  compileOrThrow(
    {
      agent_class: "LlmAgent",
      name: criterion,
      model,
      static_instruction: task,
      ...(generationConfig !== null && { generate_content_config: generationConfig }),
    },
    { dialect: "adk" },
  )
