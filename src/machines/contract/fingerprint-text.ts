import type { AgentChart } from "./agent-chart.js"

/**
 * Returns the canonical JSON text of a chart. The SHA-256 hash of this text is the fingerprint of
 * the chart.
 */
export function fingerprintText(chart: Omit<AgentChart, "fingerprint">): string {
  const { formatVersion, id, dialect, root, machines, agents } = chart
  const { tools, settings, services, input, context } = chart
  return JSON.stringify([
    formatVersion,
    id,
    dialect,
    root,
    machines,
    agents,
    tools,
    settings,
    ...(services === undefined ? [] : [services]),
    input,
    context,
  ])
}
