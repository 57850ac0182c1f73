/** The text of a workflow file with unsaved changes. */
export interface Draft {
  readonly text: string
  /** The saved text of the file when the editing began. */
  readonly base: string
}

const keyOf = (path: string): string => `agent-statecharts draft ${path}`

/**
 * Returns the unsaved text of a file. Returns null if the file has no unsaved changes. Each browser
 * tab has its own drafts.
 */
export function readDraft(path: string): Draft | null {
  const stored = sessionStorage.getItem(keyOf(path))
  // Only `storeDraft` writes this key.
  return stored === null ? null : (JSON.parse(stored) as Draft)
}

/**
 * Stores the unsaved text of a file for this browser tab. If `draft` is null, the stored draft is
 * removed.
 */
export function storeDraft(path: string, draft: Draft | null): void {
  if (draft === null) sessionStorage.removeItem(keyOf(path))
  else sessionStorage.setItem(keyOf(path), JSON.stringify(draft))
}
