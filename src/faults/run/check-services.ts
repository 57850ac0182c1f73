import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import { missingServices } from "../../runtime/host/missing-services.js"
import type { RegisteredServices } from "../environment/simulated-services.js"

/**
 * Checks that the program has registered all services that the chart needs. Throws an error if a
 * service is missing. Called before the first simulated run.
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
