// The module that the test bundles for Temporal's sandbox. It exports the workflow as a user would, and reports the result.
import { proxySinks } from "@temporalio/workflow"
import { agentWorkflow } from "agent-statecharts/adapters/engine/temporal/workflow"

const { probe } = proxySinks()

const carry = agentWorkflow({ refused: (_, error) => probe.refused(error.message) })

export async function runAgents(order) {
  const result = await carry(order)
  probe.finished(result)
  return result
}
