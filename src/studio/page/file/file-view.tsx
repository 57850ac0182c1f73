import "./file-view.css"
import { useEffect, useRef, useState } from "preact/hooks"
import type { CompiledText, FileWithText } from "../../api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { ChartView } from "../parts/chart-view.js"
import { lazy } from "../parts/lazy.js"
import { Editor } from "./editor.js"
import { Problems } from "./problems.js"
import { StartForm } from "./start-form.js"

const ChecksPanel = lazy(async () => (await import("../checks/checks-panel.js")).ChecksPanel)

/** Milliseconds after the last change until the text is compiled. */
const compileDelay = 250

/** Shows a workflow file: its text, its problems, its chart, and the form that starts a run. */
export function FileView({ path }: { readonly path: string }) {
  const [file, setFile] = useState<FileWithText | null>(null)
  const [text, setText] = useState("")
  const [saved, setSaved] = useState("")
  const [compiled, setCompiled] = useState<CompiledText | null>(null)
  const [error, setError] = useState<string | null>(null)
  // While the text has errors, the last drawing stays.
  const drawing = useRef<string | null>(null)

  useEffect(() => {
    fetchJson<FileWithText>(`/file?path=${encodeURIComponent(path)}`).then(
      (opened) => {
        setFile(opened)
        setText(opened.text)
        setSaved(opened.text)
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [path])

  useEffect(() => {
    if (file === null) return
    const controller = new AbortController()
    const timer = setTimeout(
      () => {
        fetchJson<CompiledText>("/check", {
          method: "POST",
          body: { file: path, text },
          signal: controller.signal,
        }).then(
          (result) => {
            drawing.current = result.svg ?? drawing.current
            setCompiled(result)
            setError(null)
          },
          (cause: unknown) => {
            if (!controller.signal.aborted) setError(messageOf(cause))
          },
        )
      },
      compiled === null ? 0 : compileDelay,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [file, text])

  const save = async (): Promise<void> => {
    try {
      await fetchJson("/file", { method: "PUT", body: { file: path, text } })
      setSaved(text)
      setError(null)
    } catch (cause) {
      setError(messageOf(cause))
    }
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }

  if (file === null) return <p class="empty">{error ?? "Opening…"}</p>
  const diagnostics = compiled?.diagnostics ?? []
  const isStale = compiled?.svg === null
  return (
    <div class="file-view" onKeyDown={onKey}>
      <section class="source" aria-label="Source">
        <div class="bar">
          <h2>{path}</h2>
          <button type="button" disabled={text === saved} onClick={() => void save()}>
            {text === saved ? "Saved" : "Save"}
          </button>
        </div>
        {error !== null && (
          <p role="alert" class="trouble">
            {error}
          </p>
        )}
        <Editor path={path} text={file.text} diagnostics={diagnostics} onChange={setText} />
        <Problems diagnostics={diagnostics} />
      </section>
      <div class="beside">
        <StartForm file={path} text={text} compiled={compiled} scripted={file.scripted} />
        {isStale && drawing.current !== null && (
          <p class="calm">The drawing shows the last version without errors.</p>
        )}
        {drawing.current !== null && <ChartView svg={drawing.current} />}
        <ChecksPanel path={path} text={text} isValid={compiled !== null && compiled.svg !== null} />
      </div>
    </div>
  )
}
