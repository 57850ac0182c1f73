import type { TextEdit } from "../../edit-api.js"

/** Functions with which other parts of the page change the text in the editor. */
export interface EditorControl {
  readonly text: () => string
  /**
   * Applies edits so that a single undo reverts all of them. The offsets refer to the current text.
   */
  readonly apply: (edits: readonly TextEdit[]) => void
  readonly undo: () => void
  readonly redo: () => void
}

/** The number of steps that can be undone, and the number of steps that can be redone. */
export interface EditorHistory {
  readonly undo: number
  readonly redo: number
}
