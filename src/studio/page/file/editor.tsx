import "./editor.css"
import { json } from "@codemirror/lang-json"
import { yaml } from "@codemirror/lang-yaml"
import type { Diagnostic as EditorMark } from "@codemirror/lint"
import { lintGutter, setDiagnostics } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { basicSetup } from "codemirror"
import { useEffect, useRef } from "preact/hooks"
import type { Diagnostic } from "../../api.js"
import { configHelp } from "./config-help.js"
import { editorColors } from "./editor-theme.js"

/** A location to show in the editor. To show the same location again, pass a new object. */
export interface EditorLocation {
  readonly line: number
  readonly column: number
}

export interface EditorProps {
  readonly path: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  readonly onChange: (text: string) => void
  /** Called with the offset of the cursor when the user moves it. */
  readonly onCursor?: (offset: number) => void
  /** The location to show; null until the user selects one. */
  readonly shown: EditorLocation | null
}

/** The editor of a config. It marks each problem at its location, and completes and explains fields. */
export function Editor({ path, text, diagnostics, onChange, onCursor, shown }: EditorProps) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const cursorMoved = useRef(onCursor)
  cursorMoved.current = onCursor

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
          /\.ya?ml$/i.test(path) ? yaml() : json(),
          configHelp(path),
          lintGutter(),
          EditorView.contentAttributes.of({ "aria-label": `Text of ${path}` }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString())
            if (update.selectionSet) cursorMoved.current?.(update.state.selection.main.head)
          }),
        ],
      }),
    })
    // Users can focus the scroll container and scroll with the keyboard, without typing into the text.
    editor.scrollDOM.tabIndex = 0
    view.current = editor
    return () => editor.destroy()
    // After this, the editor owns the text. Only another file creates another editor.
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
    editor.focus()
  }, [shown])

  return <div class="editor" ref={parent} />
}

/** Converts a diagnostic to a mark from its column to the end of its line. */
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

/** Returns the range from a location to the end of its line. The text may be shorter by now. */
function rangeOf(
  { line, column }: EditorLocation,
  { doc }: EditorState,
): { readonly from: number; readonly to: number } {
  const { from: start, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return { from: Math.min(start + Math.max(column - 1, 0), to), to }
}
