import type { AgentChart } from "./agent-chart.js"

/**
 * Returns the text from which the fingerprint of a chart is computed, as a SHA-256 hash. It is a
 * JSON list of the chart's fields, without `node`, `charts` and `workflows`.
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
