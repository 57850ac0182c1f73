/** A list that grows without being copied: the newest link first. */
export interface LinkedList<Link> {
  readonly link: Link
  readonly before: LinkedList<Link> | null
}

/** The links in the order in which they were added. */
export function linksOf<Link>(chain: LinkedList<Link> | null): readonly Link[] {
  const links: Link[] = []
  for (let one = chain; one !== null; one = one.before) links.push(one.link)
  return links.reverse()
}
