import type { ELK, ElkNode } from "elkjs/lib/elk-api.js"
import { AgentStatechartsError } from "../../errors.js"

export type LayoutEngine = (graph: ElkNode) => Promise<ElkNode>

/** Maximum number of layouts that `layOutGraph` caches. */
const maxLayouts = 500

let elk: Promise<ELK> | null = null
const layouts = new Map<string, Promise<ElkNode>>()

/**
 * Lays out a graph with `elkjs`. This large optional package is loaded only when a drawing needs
 * it. All drawings share one engine, because a new engine takes 10 ms.
 *
 * Layouts are cached without state ids, so graphs that differ only in their ids are laid out once.
 * Large charts contain many such graphs, and an edit of a workflow changes few of them.
 */
export const layOutGraph: LayoutEngine = async (graph) => {
  const { children = [], edges = [] } = graph
  const shape = withoutIds(graph)
  const key = JSON.stringify(shape)
  const layout = layouts.get(key) ?? layOutShape(shape)
  layouts.delete(key)
  layouts.set(key, layout)
  const [oldest] = layouts.keys()
  if (layouts.size > maxLayouts && oldest !== undefined) layouts.delete(oldest)
  try {
    const { children: placed = [], edges: routed = [], ...rest } = await layout
    return {
      ...rest,
      children: placed.map((node, index) => ({ ...node, id: children[index]?.id ?? node.id })),
      edges: routed.map((edge, index) => ({ ...edge, id: edges[index]?.id ?? edge.id })),
    }
  } catch (error) {
    layouts.delete(key)
    throw error
  }
}

async function layOutShape(shape: ElkNode): Promise<ElkNode> {
  elk ??= load()
  try {
    return (await elk).layout(shape)
  } catch (error) {
    // The next layout tries again, because the package can be installed in the meantime.
    elk = null
    throw error
  }
}

/**
 * Loads the layout engine and lays out a small graph. Afterwards, the next layout does not need to
 * wait until the engine is loaded and compiled.
 *
 * @throws AgentStatechartsError `drawing_package_missing`
 */
export async function warmUpEngine(): Promise<void> {
  const size = { width: 40, height: 20 }
  await layOutGraph({
    id: "root",
    layoutOptions: { "elk.algorithm": "layered", "elk.edgeRouting": "ORTHOGONAL" },
    children: ["a", "b", "c"].map((id) => ({ id, ...size })),
    edges: [
      { id: "forward", sources: ["a"], targets: ["b"] },
      { id: "branch", sources: ["a"], targets: ["c"] },
      { id: "back", sources: ["b"], targets: ["a"] },
    ],
  })
}

/**
 * Replaces the ids in a graph by numbered ids such as `n0`. Graphs that differ only in their ids
 * become equal, so they share a cached layout.
 */
function withoutIds(graph: ElkNode): ElkNode {
  const { children = [], edges = [] } = graph
  const numbers = new Map<string, string>()
  const numberOf = (id: string): string => {
    const number = numbers.get(id) ?? `n${numbers.size}`
    numbers.set(id, number)
    return number
  }
  return {
    ...graph,
    children: children.map(({ ports, ...node }) => ({
      ...node,
      id: numberOf(node.id),
      ...(ports !== undefined && {
        ports: ports.map((port) => ({ ...port, id: numberOf(port.id) })),
      }),
    })),
    edges: edges.map((edge, index) => ({
      ...edge,
      id: `e${index}`,
      sources: edge.sources.map(numberOf),
      targets: edge.targets.map(numberOf),
    })),
  }
}

async function load(): Promise<ELK> {
  try {
    // On Node, this is a small CommonJS module that requires the large one. Node parses a module
    // that is imported directly three times, which takes 100 ms more.
    const { default: Elk } = await import("#elkjs")
    return new Elk.default()
  } catch (cause) {
    throw new AgentStatechartsError(
      "drawing_package_missing",
      'Drawings as SVG are laid out by "elkjs", which is not installed. Install it: npm install elkjs@0.12.1',
      { cause },
    )
  }
}
