import type { TextEdit } from "../../edit-api.js"

/** Changes the text in the editor from other parts of the page. */
export interface EditorControl {
  readonly text: () => string
  /** Applies edits as one step of the history. Their offsets refer to the current text. */
  readonly apply: (edits: readonly TextEdit[]) => void
  readonly undo: () => void
  readonly redo: () => void
}

/** The numbers of steps that can be undone and redone. */
export interface EditorHistory {
  readonly undo: number
  readonly redo: number
}
