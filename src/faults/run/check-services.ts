import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import { missingServices } from "../../runtime/host/missing-services.js"
import type { RegisteredServices } from "../environment/simulated-services.js"

/**
 * Throws an error if the program has not registered a service that the chart needs. Called before
 * the first simulated run.
 */
export function checkServices(
  chart: AgentChart,
  simulated: CallServices,
  { services = {} }: RegisteredServices,
): void {
  // Simulated host functions are plain functions. Only the registered ones show which kind of
  // service they are.
  const all = { ...simulated, services: { ...simulated.services, ...services } }
  const missing = missingServices(chart, all)
  if (missing !== null) throw new AgentStatechartsError(missing.code, missing.message)
}
