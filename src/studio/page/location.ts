/** What the page shows: a workflow file, a run, or neither. It is part of the URL, so a reload keeps it. */
export type Shown =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "nothing" }

/** Parses the fragment of the URL: `#/file/PATH` or `#/run/ID`. */
export function parseHash(hash: string): Shown {
  const [, kind, rest] = /^#\/(file|run)\/(.+)$/.exec(hash) ?? []
  if (rest === undefined) return { kind: "nothing" }
  return kind === "file"
    ? { kind: "file", path: decodeURIComponent(rest) }
    : { kind: "run", runId: decodeURIComponent(rest) }
}
