import { json } from "@codemirror/lang-json"
import { yaml } from "@codemirror/lang-yaml"
import type { Diagnostic as Mark } from "@codemirror/lint"
import { lintGutter, setDiagnostics } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { basicSetup } from "codemirror"
import { useEffect, useRef } from "preact/hooks"
import type { Diagnostic } from "../../api.js"

interface EditorProps {
  readonly path: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  readonly onChange: (text: string) => void
}

/** The text of a config. What is wrong with it stands where it is wrong. */
export function Editor({ path, text, diagnostics, onChange }: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)

  useEffect(() => {
    if (place.current === null) return
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          /\.ya?ml$/i.test(path) ? yaml() : json(),
          lintGutter(),
          EditorView.contentAttributes.of({ "aria-label": `Text of ${path}` }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    // Whoever scrolls with keys reaches it without typing into the text.
    editor.scrollDOM.tabIndex = 0
    view.current = editor
    return () => editor.destroy()
    // The text is the editor's own from here on: only another file makes another editor.
  }, [path])

  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch(
      setDiagnostics(
        editor.state,
        diagnostics
          .filter(({ file }) => file === undefined || path.endsWith(file))
          .map((one) => markOf(one, editor.state)),
      ),
    )
  }, [diagnostics, path])

  return <div class="editor" ref={place} />
}

function markOf({ severity, message, fix, line, column }: Diagnostic, { doc }: EditorState): Mark {
  const where = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines))
  const from = Math.min(where.from + Math.max((column ?? 1) - 1, 0), where.to)
  return {
    from,
    to: where.to > from ? where.to : from,
    severity: severity === "hint" ? "info" : severity,
    message: `${message}\n${fix}`,
  }
}
