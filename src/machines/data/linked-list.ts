/**
 * An immutable linked list that starts with the newest element. Adding an element does not copy the
 * list. An empty list is null.
 */
export interface LinkedList<Link> {
  readonly link: Link
  readonly before: LinkedList<Link> | null
}

/** Returns the elements of a linked list as an array, oldest first. */
export function linksOf<Link>(list: LinkedList<Link> | null): readonly Link[] {
  const links: Link[] = []
  for (let node = list; node !== null; node = node.before) links.push(node.link)
  return links.reverse()
}
