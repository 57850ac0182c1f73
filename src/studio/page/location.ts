/** What the page shows: a workflow file, a run, or neither. The URL contains it, so a reload keeps it. */
export type PageLocation =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "start" }

/** Parses the fragment of the URL: `#/file/PATH` or `#/run/ID`. */
export function parseHash(hash: string): PageLocation {
  const [, kind, rest] = /^#\/(file|run)\/(.+)$/.exec(hash) ?? []
  if (rest === undefined) return { kind: "start" }
  return kind === "file"
    ? { kind: "file", path: decodeURIComponent(rest) }
    : { kind: "run", runId: decodeURIComponent(rest) }
}
