import { compileOrThrow } from "agent-statecharts"
import { workflow } from "./workflow.mjs"

/** The workflow of the kill test, with a step that calls another workflow. Engines cannot execute this step. */
export function workflowWithCall(base) {
  const { agents, ...settings } = workflow(base)
  const llm = (id) => ({
    type: "LlmAgent",
    id,
    outputKey: `${id}_text`,
    httpConfig: { url: `${base}/llm/${id}`, method: "POST" },
  })
  const advice = compileOrThrow({
    rootAgentId: "opinion",
    agents: [
      {
        type: "SequentialAgent",
        id: "opinion",
        subAgents: [{ agentId: "adviser" }, { agentId: "lawyer" }, { agentId: "scribe" }],
      },
      llm("adviser"),
      { type: "HumanAgent", id: "lawyer", prompt: "Is it legal?", outputKey: "legal" },
      llm("scribe"),
    ],
  })
  return {
    ...settings,
    agents: [
      ...agents.map((agent) =>
        agent.id === "line"
          ? { ...agent, subAgents: agent.subAgents.toSpliced(-1, 0, { agentId: "advice" }) }
          : agent,
      ),
      {
        type: "WorkflowAgent",
        id: "advice",
        workflow: advice,
        output: "state",
        outputKey: "advice",
      },
    ],
  }
}

const childOf = (runId) => `${runId}/line/advice#0`

/** Returns the id of the run that a program started, for its own id or the id of its child run. */
export const rootOf = (runId) => runId.split("/")[0]

/** Loads a run together with its child run. The records contain the header of the child run, which is stored like a record. */
export async function loadWithChild(journal, runId) {
  const [run, child] = [await journal.load(runId), await journal.load(childOf(runId))]
  if (run === null || child === null) return run
  return { ...run, records: [...run.records, child.header, ...child.records] }
}
