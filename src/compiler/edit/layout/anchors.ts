import type { SourceNode } from "../source/source-node.js"
import type { Layout } from "./layout.js"
import { unsupportedLayout } from "./layout.js"

/**
 * Throws EditRefused if an anchor inside a list entry has an alias outside the entry, or the
 * reverse, because the entry cannot be moved or removed then.
 */
export function requireNoCrossing(list: SourceNode, index: number, { source }: Layout): void {
  const { anchors } = source
  const entry = list.entries[index]
  if (anchors.length === 0 || entry === undefined) return
  const isInside = ({ offset }: { readonly offset: number }): boolean =>
    offset >= entry.from && offset < entry.to
  const inside = new Set(anchors.filter(isInside).map(({ name }) => name))
  const crossing = anchors.find((anchor) => !isInside(anchor) && inside.has(anchor.name))
  if (crossing !== undefined)
    throw unsupportedLayout(
      `The anchor "${crossing.name}" connects this entry with another part of the file`,
    )
}
