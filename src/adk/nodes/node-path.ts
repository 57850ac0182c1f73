/** Returns the path of a node in ADK's form: the names of the graphs and of the node, with dots. */
export const nodePathOf = (path: string): string =>
  path
    .replace(/#\d+$/, "")
    .replaceAll(/\[\d+\]/g, "")
    .replaceAll("/", ".")
