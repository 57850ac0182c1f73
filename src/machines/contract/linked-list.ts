/** A list that grows without being copied: the newest link first. */
export interface Chain<Link> {
  readonly link: Link
  readonly before: Chain<Link> | null
}

/** The links in the order in which they were added. */
export function linksOf<Link>(chain: Chain<Link> | null): readonly Link[] {
  const links: Link[] = []
  for (let one = chain; one !== null; one = one.before) links.push(one.link)
  return links.reverse()
}
