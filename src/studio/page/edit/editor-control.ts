import type { TextEdit } from "../../edit-api.js"

/** Functions with which other parts of the page read and change the text in the editor. */
export interface EditorControl {
  readonly text: () => string
  /**
   * Applies several text changes at once. A single undo reverts all of them. Their offsets refer to
   * the text before the changes.
   */
  readonly apply: (edits: readonly TextEdit[]) => void
  readonly undo: () => void
  readonly redo: () => void
}

/** Number of edits that the user can undo, and number of edits that the user can redo. */
export interface EditorHistory {
  readonly undo: number
  readonly redo: number
}
