import { mapValues } from "../data/map-values.js"
import type { AgentChart } from "./agent-chart.js"

/**
 * Returns the text from which the fingerprint of a chart is computed, as a SHA-256 hash. It is a
 * JSON list of the chart's fields. The charts of graph nodes and of called workflows are
 * represented by their fingerprints, so the length of the text does not grow with the depth of the
 * calls.
 */
export function fingerprintText(chart: Omit<AgentChart, "fingerprint">): string {
  const { formatVersion, id, dialect, root, machines, agents } = chart
  const { tools, settings, services, input, context, charts, workflows } = chart
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
    ...(charts === undefined ? [] : [{ charts: mapValues(charts, fingerprintOf) }]),
    ...(workflows === undefined ? [] : [{ workflows: mapValues(workflows, fingerprintOf) }]),
  ])
}

const fingerprintOf = ({ fingerprint }: AgentChart): string => fingerprint
