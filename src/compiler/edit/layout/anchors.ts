import type { SourceNode } from "../source/source-node.js"
import type { Layout } from "./layout.js"
import { unsupportedLayout } from "./layout.js"

/**
 * Throws EditRefused if a list entry cannot be moved or removed because of a YAML anchor. This is
 * the case if an anchor inside the entry has an alias outside of it, or the reverse.
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
