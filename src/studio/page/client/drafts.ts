/** A text that was edited and not saved. */
export interface Draft {
  readonly text: string
  /** The text of the file when the editing began. */
  readonly base: string
}

const keyOf = (path: string): string => `agent-statecharts draft ${path}`

/** Returns the draft of a file, or null. A draft belongs to the browser tab. */
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
