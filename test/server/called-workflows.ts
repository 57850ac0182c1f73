import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const model = (id: string): object => ({ url: `http://127.0.0.1:9/${id}`, method: "POST" })

const workflows = {
  newsletter: {
    rootAgentId: "newsletter",
    agents: [
      {
        type: "SequentialAgent",
        id: "newsletter",
        subAgents: [{ agentId: "review" }, { agentId: "writer" }],
      },
      { type: "WorkflowAgent", id: "review", workflow: "review", outputKey: "verdict" },
      { type: "LlmAgent", id: "writer", instructions: "Write.", httpConfig: model("writer") },
    ],
    initialUserInput: "owls",
  },
  review: {
    rootAgentId: "flow",
    agents: [
      {
        type: "SequentialAgent",
        id: "flow",
        subAgents: [{ agentId: "editor" }, { agentId: "boss" }],
      },
      { type: "LlmAgent", id: "editor", instructions: "Edit.", httpConfig: model("editor") },
      { type: "HumanAgent", id: "boss", prompt: "Print it?" },
    ],
  },
}

/** Both workflows have the same responses, because the services of a run also serve its child run. */
const scenario = { llm: { editor: [{ content: "fine" }], writer: [{ content: "printed" }] } }

/** Writes the workflow `newsletter`, which calls the workflow `review` by its name, and their responses. */
export function writeCalledWorkflows(place: string): void {
  for (const [name, workflow] of Object.entries(workflows)) {
    const folder = join(place, name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "workflow.json"), JSON.stringify(workflow))
    writeFileSync(join(folder, "scenario.json"), JSON.stringify(scenario))
  }
}
