import type { AgentChart } from "../contract/agent-chart.js"
import { orchestrationKind } from "../containers/orchestration.js"
import {
  asAnyMachineKind,
  type MachineDefinition,
  type MachineLibrary,
} from "./machine-definition.js"

/**
 * Returns all machines that a chart can invoke, by name. They are the machines of the chart and the
 * machines in `library`.
 */
export function machinesOf(
  chart: AgentChart,
  library: MachineLibrary,
): ReadonlyMap<string, MachineDefinition> {
  const machines = new Map(Object.entries(library))
  const kind = asAnyMachineKind(orchestrationKind)
  for (const [key, config] of Object.entries(chart.machines)) machines.set(key, { config, kind })
  return machines
}
