import type { EditorControl, EditorHistory } from "./editor-control.js"

interface EditToolsProps {
  readonly editor: EditorControl | null
  readonly history: EditorHistory
  readonly isLegendOpen: boolean
  readonly onLegend: (isOpen: boolean) => void
}

/** Buttons that undo and redo edits, and a button that shows the keyboard shortcuts. */
export function EditTools({ editor, history, isLegendOpen, onLegend }: EditToolsProps) {
  return (
    <div class="edit-tools">
      <button
        type="button"
        disabled={history.undo === 0}
        title="Ctrl+Z"
        onClick={() => editor?.undo()}
      >
        Undo
      </button>
      <button
        type="button"
        disabled={history.redo === 0}
        title="Ctrl+Shift+Z"
        onClick={() => editor?.redo()}
      >
        Redo
      </button>
      <button
        type="button"
        aria-expanded={isLegendOpen}
        title="Keys of the drawing (?)"
        onClick={() => onLegend(!isLegendOpen)}
      >
        Keys
      </button>
    </div>
  )
}
