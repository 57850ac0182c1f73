/** An immutable linked list, newest element first. Appending does not copy the list. */
export interface LinkedList<Link> {
  readonly link: Link
  readonly before: LinkedList<Link> | null
}

/** Returns the elements of a linked list, oldest first. */
export function linksOf<Link>(chain: LinkedList<Link> | null): readonly Link[] {
  const links: Link[] = []
  for (let one = chain; one !== null; one = one.before) links.push(one.link)
  return links.reverse()
}
