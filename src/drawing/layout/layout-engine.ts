import type { ELK, ElkNode } from "elkjs/lib/elk-api.js"
import { AgentStatechartsError } from "../../errors.js"

export type LayoutEngine = (graph: ElkNode) => Promise<ElkNode>

/**
 * Returns the layout engine `elkjs`. This large optional package is loaded only when the first
 * level needs it.
 */
export function lazyEngine(): LayoutEngine {
  let elk: Promise<ELK> | null = null
  return async (graph) => (await (elk ??= load())).layout(graph)
}

async function load(): Promise<ELK> {
  try {
    const { default: Elk } = await import("elkjs/lib/elk.bundled.js")
    return new Elk.default()
  } catch (cause) {
    throw new AgentStatechartsError(
      "drawing_package_missing",
      'Drawings as SVG are laid out by "elkjs", which is not installed. Install it: npm install elkjs@0.12.1',
      { cause },
    )
  }
}
