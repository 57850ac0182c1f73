// What the test bundles for Temporal's sandbox: the workflow as a user would export it, and what it came to.
import { proxySinks } from "@temporalio/workflow"
import { agentWorkflow } from "agent-statecharts/adapters/engine/temporal/workflow"

const { probe } = proxySinks()

const carry = agentWorkflow({ refused: (_, error) => probe.refused(error.message) })

export async function runAgents(order) {
  const result = await carry(order)
  probe.finished(result)
  return result
}
