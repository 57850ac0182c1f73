import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import { missingServices } from "../../runtime/host/missing-services.js"
import type { RegisteredServices } from "../environment/simulated-services.js"

/**
 * Throws an error if a service that the chart needs is not registered. Called before the first run.
 */
export function checkServices(
  chart: AgentChart,
  simulated: CallServices,
  { services = {} }: RegisteredServices,
): void {
  // The simulated services are functions. The registered ones show their kinds.
  const all = { ...simulated, services: { ...simulated.services, ...services } }
  const missing = missingServices(chart, all)
  if (missing !== null) throw new AgentStatechartsError(missing.code, missing.message)
}
