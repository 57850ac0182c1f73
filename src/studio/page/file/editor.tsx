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

interface EditorProps {
  readonly path: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  readonly onChange: (text: string) => void
}

/** The editor of a config. It marks each problem at its location, and completes and explains fields. */
export function Editor({ path, text, diagnostics, onChange }: EditorProps) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)

  useEffect(() => {
    if (parent.current === null) return
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          /\.ya?ml$/i.test(path) ? yaml() : json(),
          configHelp(path),
          lintGutter(),
          EditorView.contentAttributes.of({ "aria-label": `Text of ${path}` }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString())
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

  return <div class="editor" ref={parent} />
}

/** Converts a diagnostic to a mark from its column to the end of its line. */
function markOf(
  { severity, message, fix, line, column }: Diagnostic,
  { doc }: EditorState,
): EditorMark {
  const lineInDoc = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines))
  const from = Math.min(lineInDoc.from + Math.max((column ?? 1) - 1, 0), lineInDoc.to)
  return {
    from,
    to: lineInDoc.to > from ? lineInDoc.to : from,
    severity: severity === "hint" ? "info" : severity,
    message: `${message}\n${fix}`,
  }
}
