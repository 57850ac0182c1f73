import { objectOf } from "../fields/plain-values.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"

interface GraphNode {
  readonly node: Readonly<Record<string, unknown>>
  readonly location: ParserLocation
}

/**
 * Returns the `adk` node of a graph that the compile option `node` selects. Without the option,
 * returns the first `adk` node. Reports a warning with the names of the other nodes, because they
 * do not run.
 */
export function pickNode(
  nodes: readonly unknown[],
  wanted: string | undefined,
  location: ParserLocation,
): GraphNode | null {
  const all = nodes.flatMap((entry, index): GraphNode[] => {
    const node = objectOf(entry)
    return node === null ? [] : [{ node, location: fieldOf(location, index) }]
  })
  const agents = all.filter(({ node }) => node["type"] === "adk")
  const picked = wanted === undefined ? (agents[0] ?? null) : named(wanted, agents, location)
  const others = all.filter((other) => other !== picked)
  if (picked !== null && others.length > 0) {
    const names = others.map(nameOf).join(", ")
    report(location, {
      code: "nodes_ignored",
      severity: "warning",
      problem: `contains other nodes besides the compiled adk node; these nodes are ignored: ${names}`,
      fix: "Run the other nodes in a different program, and pass their results to this workflow as state or input.",
    })
  }
  return picked
}

function named(
  wanted: string,
  agents: readonly GraphNode[],
  location: ParserLocation,
): GraphNode | null {
  const found = agents.find(({ node }) => node["id"] === wanted)
  if (found !== undefined) return found
  if (agents.length === 0)
    return report(location, {
      code: "node_unknown",
      problem: `contains no adk node, but the option "node" selects ${describeValue(wanted)}`,
      fix: `Remove the option "node", or add an adk node to the workflow.`,
    })
  const ids = agents.flatMap(({ node }) => (typeof node["id"] === "string" ? [node["id"]] : []))
  return report(location, {
    code: "node_unknown",
    problem: `does not contain the adk node ${describeValue(wanted)} that the option "node" selects`,
    fix: `${didYouMean(location.parser.suggest(wanted, ids))}The adk nodes are: ${agents.map(nameOf).join(", ")}.`,
  })
}

const nameOf = ({ node, location }: GraphNode): string =>
  typeof node["id"] === "string" ? describeValue(node["id"]) : `the node at ${location.pointer}`
