import "./editor.css"
import { isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands"
import { json } from "@codemirror/lang-json"
import { yaml } from "@codemirror/lang-yaml"
import type { Diagnostic as EditorMark } from "@codemirror/lint"
import { lintGutter, setDiagnostics } from "@codemirror/lint"
import { EditorState, Text } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { basicSetup } from "codemirror"
import { useEffect, useRef } from "preact/hooks"
import type { Diagnostic } from "../../api.js"
import type { EditorControl, EditorHistory } from "../edit/editor-control.js"
import { configHelp } from "./config-help.js"
import { editorColors } from "./editor-theme.js"

/**
 * A location that the editor moves into view. To show the same location again, pass a new object.
 */
export interface EditorLocation {
  readonly line: number
  readonly column: number
  /** Whether the editor also gets the keyboard focus when it shows the location. */
  readonly isFocused: boolean
}

export interface EditorProps {
  readonly path: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  readonly onChange: (text: string) => void
  /** Called with the offset of the cursor in the text when the user moves the cursor. */
  readonly onCursor?: (offset: number) => void
  /**
   * Called with functions that change the text after the editor was created, and with null when the
   * editor is removed.
   */
  readonly onControl?: (control: EditorControl | null) => void
  readonly onHistory?: (history: EditorHistory) => void
  /** The location to move into view. Null until the user selects a location. */
  readonly shown: EditorLocation | null
}

/**
 * Component for the text editor of a config. It marks each problem in the text, completes fields
 * and values, and shows descriptions of fields.
 */
export function Editor({ path, text, diagnostics, shown, ...handlers }: EditorProps) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const current = useRef(handlers)
  current.current = handlers

  useEffect(() => {
    if (parent.current === null) return
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          editorColors,
          EditorView.lineWrapping,
          ...(hasWindowsLineBreaks(text) ? [EditorState.lineSeparator.of("\r\n")] : []),
          /\.ya?ml$/i.test(path) ? yaml() : json(),
          configHelp(path),
          lintGutter(),
          centerInEditor,
          EditorView.contentAttributes.of({ "aria-label": `Text of ${path}` }),
          EditorView.updateListener.of((update) => {
            const { onChange, onCursor, onHistory } = current.current
            if (update.docChanged) {
              onChange(update.state.sliceDoc())
              onHistory?.({ undo: undoDepth(update.state), redo: redoDepth(update.state) })
            }
            if (update.transactions.some((transaction) => transaction.isUserEvent("select")))
              onCursor?.(textOffset(update.state.selection.main.head, update.state))
          }),
        ],
      }),
    })
    // Users can focus the scroll container and scroll with the keyboard, without typing into the text.
    editor.scrollDOM.tabIndex = 0
    view.current = editor
    current.current.onControl?.(controlOf(editor))
    return () => {
      current.current.onControl?.(null)
      editor.destroy()
    }
    // After its creation, the editor manages the text. A new editor is created only for another
    // file.
  }, [path])

  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch(
      setDiagnostics(
        editor.state,
        diagnostics
          .filter(({ file }) => file === undefined || path.endsWith(file))
          .map((diagnostic) => markOf(diagnostic, editor.state)),
      ),
    )
  }, [diagnostics, path])

  useEffect(() => {
    const editor = view.current
    if (editor === null || shown === null) return
    const { from } = rangeOf(shown, editor.state)
    editor.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    })
    if (!shown.isFocused) return
    editor.focus()
    editor.dom.scrollIntoView({ block: "nearest" })
  }, [shown])

  return <div class="editor" ref={parent} />
}

/**
 * Scrolls the editor so that a position is in its center, without scrolling the page. By default,
 * CodeMirror also scrolls the page, which moves the drawing out of view on a phone.
 */
const centerInEditor = EditorView.scrollHandler.of((editor, { head }, { y }) => {
  if (y !== "center") return false
  const { node } = editor.domAtPos(head)
  const line = node instanceof Element ? node : node.parentElement
  const { top, height } = editor.scrollDOM.getBoundingClientRect()
  if (line !== null)
    editor.scrollDOM.scrollTop += line.getBoundingClientRect().top - top - height / 2
  return true
})

const controlOf = (editor: EditorView): EditorControl => ({
  text: () => editor.state.sliceDoc(),
  apply(edits) {
    const changes = edits.map(({ from, to, text }) => ({
      from: documentOffset(from, editor.state),
      to: documentOffset(to, editor.state),
      insert: Text.of(text.split(/\r\n?|\n/)),
    }))
    const [first] = changes
    if (first === undefined) return
    editor.dispatch({
      changes,
      effects: EditorView.scrollIntoView(first.from, { y: "center" }),
      annotations: isolateHistory.of("full"),
      userEvent: "input.chart",
    })
  },
  undo: () => void undo(editor),
  redo: () => void redo(editor),
})

/** Returns whether all lines of a text end with CR LF. */
const hasWindowsLineBreaks = (text: string): boolean =>
  text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text)

/**
 * Converts an offset in the editor's document to an offset in the text. The document counts each
 * line break as one character, but in the text a line break can have two characters (CR LF).
 */
const textOffset = (offset: number, { doc, lineBreak }: EditorState): number =>
  offset + (doc.lineAt(offset).number - 1) * (lineBreak.length - 1)

/**
 * Converts an offset in the text to an offset in the editor's document. The document counts each
 * line break as one character.
 */
function documentOffset(offset: number, state: EditorState): number {
  if (state.lineBreak.length === 1) return offset
  let [low, high] = [1, state.doc.lines]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (textOffset(state.doc.line(middle).from, state) <= offset) low = middle
    else high = middle - 1
  }
  return Math.min(offset - (low - 1), state.doc.line(low).to)
}

/**
 * Converts a diagnostic to a CodeMirror diagnostic. The marked range extends from the column of the
 * problem to the end of its line.
 */
function markOf(
  { severity, message, fix, line = 1, column = 1 }: Diagnostic,
  state: EditorState,
): EditorMark {
  return {
    ...rangeOf({ line, column }, state),
    severity: severity === "hint" ? "info" : severity,
    message: `${message}\n${fix}`,
  }
}

/**
 * Returns the range from a location to the end of its line, as offsets in the document. A location
 * outside the text is replaced by the nearest valid location, because the text may have become
 * shorter.
 */
function rangeOf(
  { line, column }: Pick<EditorLocation, "line" | "column">,
  { doc }: EditorState,
): { readonly from: number; readonly to: number } {
  const { from: start, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return { from: Math.min(start + Math.max(column - 1, 0), to), to }
}
