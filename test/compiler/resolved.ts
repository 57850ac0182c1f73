import type { LlmAgentNode, WorkflowTree } from "../../src/compiler/2-resolve/agent-node.js"
import type { ReadOptions } from "../../src/compiler/read-workflow.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"

/** @throws Error with the diagnostics if the config has errors. */
export function resolved(config: object, options?: ReadOptions): WorkflowTree {
  const { workflow, diagnostics } = readWorkflow(config, options)
  if (workflow === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return workflow
}

export function llm(found: WorkflowTree, id: string): LlmAgentNode {
  const agent = found.agents.get(id)
  if (agent?.type !== "LlmAgent") throw new Error(`no LlmAgent ${id}`)
  return agent
}
