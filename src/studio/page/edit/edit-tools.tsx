import type { EditorControl, EditorHistory } from "./editor-control.js"

interface EditToolsProps {
  readonly editor: EditorControl | null
  readonly history: EditorHistory
  readonly isHelpOpen: boolean
  readonly onHelp: (isOpen: boolean) => void
}

/**
 * Component with buttons that undo and redo edits, and a button that shows the keyboard shortcuts.
 */
export function EditTools({ editor, history, isHelpOpen, onHelp }: EditToolsProps) {
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
        aria-expanded={isHelpOpen}
        title="Keyboard shortcuts of the drawing (?)"
        onClick={() => onHelp(!isHelpOpen)}
      >
        Shortcuts
      </button>
    </div>
  )
}
