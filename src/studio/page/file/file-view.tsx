import "./file-view.css"
import { useState } from "preact/hooks"
import type { CompiledText } from "../../api.js"
import { redrawText } from "../client/redraw.js"
import { ChartView } from "../parts/chart-view.js"
import { lazy } from "../parts/lazy.js"
import type { EditorLocation } from "./editor.js"
import { Problems } from "./problems.js"
import { StartForm } from "./start-form.js"
import { useCheck } from "./use-check.js"
import { useFile } from "./use-file.js"

/** Loaded when the first file is shown, because the editor is most of the code of the page. */
const Editor = lazy(async () => (await import("./editor.js")).Editor)
const HistoryPanel = lazy(async () => (await import("./history-panel.js")).HistoryPanel)
const ChecksPanel = lazy(async () => (await import("../checks/checks-panel.js")).ChecksPanel)

/** Shows a workflow file: its text, its problems, its chart, and the form that starts a run. */
export function FileView({ path }: { readonly path: string }) {
  const edited = useFile(path)
  const { file, text, isSaved } = edited
  const [selected, setScripted] = useState<boolean | null>(null)
  const isScripted = selected ?? file?.scenario != null
  const check = useCheck(file, text, isScripted)
  const [shown, setShown] = useState<EditorLocation | null>(null)
  const [agent, setAgent] = useState<string | null>(null)
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void edited.save()
  }

  const showAgent = (name: string): void => {
    const place = check.compiled?.places[name]
    setAgent(name)
    if (place !== undefined) setShown({ line: place.line, column: place.column })
  }

  if (file === null) return <p class="empty">{edited.error ?? "Opening…"}</p>
  const error = edited.error ?? check.error
  const diagnostics = check.compiled?.diagnostics ?? []
  return (
    <div class="file-view" onKeyDown={onKey}>
      <section class="source" aria-label="Source">
        <div class="file-bar">
          <div class="file-title">
            <h2>{file.name}</h2>
            <small>{path}</small>
          </div>
          <p role="status" class={isSaved ? "save-state" : "save-state is-unsaved"}>
            {isSaved ? "Saved" : "Unsaved changes"}
          </p>
          <button
            type="button"
            disabled={isSaved}
            title="Ctrl+S"
            onClick={() => void edited.save()}
          >
            Save
          </button>
        </div>
        {edited.isChangedOnDisk && (
          <div role="alert" class="conflict">
            <p>The file changed on disk since you began to edit it.</p>
            <div class="bar">
              <button type="button" onClick={() => void edited.save(true)}>
                Overwrite the file
              </button>
              <button type="button" onClick={() => edited.discard()}>
                Discard my changes
              </button>
            </div>
          </div>
        )}
        {error !== null && (
          <p role="alert" class="trouble">
            {error}
          </p>
        )}
        <div class="editor-place">
          <Editor
            path={path}
            text={text}
            diagnostics={diagnostics}
            onChange={edited.edit}
            onCursor={(offset) => setAgent(agentAtOffset(check.compiled?.places ?? {}, offset))}
            shown={shown}
          />
        </div>
        <Problems
          diagnostics={diagnostics}
          isCurrent={check.isCurrent}
          path={path}
          onLocation={(line, column) => setShown({ line, column })}
        />
      </section>
      <div class="beside">
        <StartForm
          file={file}
          text={text}
          check={check}
          isScripted={isScripted}
          onScripted={setScripted}
          onModule={(isAllowed) => void edited.allowModule(isAllowed)}
        />
        {check.compiled?.svg === null && check.svg !== null && (
          <p class="calm">The drawing shows the last version without errors.</p>
        )}
        {check.svg !== null && (
          <ChartView
            svg={check.svg}
            selected={agent}
            redraw={redrawText(path, text)}
            onAgent={showAgent}
          />
        )}
        {check.compiled?.chart != null && file.root === null && (
          <HistoryPanel path={path} chart={check.compiled.chart} />
        )}
        <ChecksPanel path={path} text={text} isValid={check.compiled?.svg != null} />
      </div>
    </div>
  )
}

/**
 * Returns the agent that the innermost object around an offset defines. null if no agent is defined
 * there.
 */
function agentAtOffset(places: CompiledText["places"], offset: number): string | null {
  const around = Object.entries(places).filter(([, { from, to }]) => from <= offset && offset <= to)
  const [innermost] = around.toSorted(
    ([, one], [, other]) => one.to - one.from - (other.to - other.from),
  )
  return innermost?.[0] ?? null
}
