/** An edited text that has not been saved. */
export interface Draft {
  readonly text: string
  /** The text of the file before it was edited. */
  readonly base: string
}

const keyOf = (path: string): string => `agent-statecharts draft ${path}`

/** Returns the draft of a file, or null if there is none. Each browser tab has its own drafts. */
export function readDraft(path: string): Draft | null {
  const stored = sessionStorage.getItem(keyOf(path))
  // Only `storeDraft` writes this key.
  return stored === null ? null : (JSON.parse(stored) as Draft)
}

/** Stores the draft of a file. null removes it. */
export function storeDraft(path: string, draft: Draft | null): void {
  if (draft === null) sessionStorage.removeItem(keyOf(path))
  else sessionStorage.setItem(keyOf(path), JSON.stringify(draft))
}
