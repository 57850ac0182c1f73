import { useEffect, useRef, useState } from "preact/hooks"
import type { Checked, Diagnostic, OpenedFile } from "../../api.js"
import { ask, messageOf } from "../client/ask-server.js"
import { ChartView } from "../parts/chart-view.js"
import { Editor } from "./editor.js"
import { StartForm } from "./start-form.js"

/** After so many milliseconds without a key the text is checked. */
const pause = 250

/** One workflow: its text, what is wrong with it, its chart, and what starts it. */
export function FileView({ path }: { readonly path: string }) {
  const [file, setFile] = useState<OpenedFile | null>(null)
  const [text, setText] = useState("")
  const [saved, setSaved] = useState("")
  const [checked, setChecked] = useState<Checked | null>(null)
  const [error, setError] = useState<string | null>(null)
  // The last drawing stays while the text has mistakes.
  const drawn = useRef<string | null>(null)

  useEffect(() => {
    ask<OpenedFile>(`/file?path=${encodeURIComponent(path)}`).then(
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
        ask<Checked>("/check", {
          method: "POST",
          body: { file: path, text },
          signal: controller.signal,
        }).then(
          (found) => {
            drawn.current = found.svg ?? drawn.current
            setChecked(found)
            setError(null)
          },
          (cause: unknown) => {
            if (!controller.signal.aborted) setError(messageOf(cause))
          },
        )
      },
      checked === null ? 0 : pause,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [file, text])

  const save = async (): Promise<void> => {
    try {
      await ask("/file", { method: "PUT", body: { file: path, text } })
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
  const diagnostics = checked?.diagnostics ?? []
  const isStale = checked?.svg === null
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
        <StartForm file={path} text={text} checked={checked} scripted={file.scripted} />
        {isStale && drawn.current !== null && (
          <p class="calm">The drawing is of the last text without errors.</p>
        )}
        {drawn.current !== null && <ChartView svg={drawn.current} />}
      </div>
    </div>
  )
}

function Problems({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <section class="problems" aria-label="Problems" aria-live="polite">
      {diagnostics.length === 0 ? (
        <p class="calm">No problems.</p>
      ) : (
        <ul>
          {diagnostics.map((one, index) => (
            <li key={index} class={`is-${one.severity}`}>
              <strong>{one.message}</strong>
              <span>{one.fix}</span>
              <small>
                {one.code}
                {one.line !== undefined && ` · line ${one.line}`}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
