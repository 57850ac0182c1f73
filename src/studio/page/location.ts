/**
 * The view that the page shows, which is a workflow file, a run, a comparison of runs, or the start
 * page. It is stored in the URL, so that a reload shows the same view.
 */
export type PageLocation =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "compare"; readonly a: string; readonly b: string | null }
  | { readonly kind: "start" }

/**
 * Returns the view for the fragment of the URL, which is `#/file/PATH`, `#/run/ID`, `#/compare/ID`
 * or `#/compare/ID/ID`. All other fragments show the start page.
 */
export function parseHash(hash: string): PageLocation {
  const [, kind, rest] = /^#\/(file|run|compare)\/([^?]+)/.exec(hash) ?? []
  if (rest === undefined) return { kind: "start" }
  if (kind === "compare") {
    const [a = "", b] = rest.split("/").map(decodeURIComponent)
    return { kind: "compare", a, b: b ?? null }
  }
  return kind === "file"
    ? { kind: "file", path: decodeURIComponent(rest) }
    : { kind: "run", runId: decodeURIComponent(rest) }
}
