import "./file-view.css"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { CompiledText } from "../../api.js"
import { redrawText } from "../client/redraw.js"
import type { AgentDrags } from "../canvas/use-state-drag.js"
import type { DrawingEvents } from "../edit/chart-editor.js"
import type { EditorControl, EditorHistory } from "../edit/editor-control.js"
import { useChartEdits } from "../edit/use-chart-edits.js"
import { ChartView } from "../parts/chart-view.js"
import { lazy } from "../parts/lazy.js"
import type { EditorLocation } from "./editor.js"
import { Problems } from "./problems.js"
import { StartForm } from "./start-form.js"
import { useCheck } from "./use-check.js"
import { useFile } from "./use-file.js"
import { ErrorMessage } from "../parts/error-message.js"

/**
 * The text editor. Its code is loaded when the first file is opened, because it is the largest part
 * of the page's code.
 */
const Editor = lazy(async () => (await import("./editor.js")).Editor)
const ChartEditor = lazy(async () => (await import("../edit/chart-editor.js")).ChartEditor)
const AgentPanel = lazy(async () => (await import("../edit/agent-panel.js")).AgentPanel)
const HistoryPanel = lazy(async () => (await import("./history-panel.js")).HistoryPanel)
const ChecksPanel = lazy(async () => (await import("../checks/checks-panel.js")).ChecksPanel)

/**
 * Component that shows a workflow file with its text, its problems, its chart, and the form that
 * starts a run.
 */
export function FileView({ path }: { readonly path: string }) {
  const edited = useFile(path)
  const { file, text, isSaved } = edited
  const [selected, setScripted] = useState<boolean | null>(null)
  const isScripted = selected ?? file?.scenario != null
  const check = useCheck(file, text, isScripted)
  const [shown, setShown] = useState<EditorLocation | null>(null)
  const [agent, setAgent] = useState<string | null>(null)
  const [editor, setEditor] = useState<EditorControl | null>(null)
  const [history, setHistory] = useState<EditorHistory>({ undo: 0, redo: 0 })
  const [isPanelOpen, setPanelOpen] = useState(false)
  /**
   * The agent that an edit has added or moved. When the next drawing is shown, this agent is moved
   * into view.
   */
  const [revealed, setRevealed] = useState<{ readonly agent: string } | null>(null)
  /**
   * Name of an agent that an edit has added or moved. The text editor shows this agent as soon as
   * the edited text is checked. Null if there is no such agent.
   */
  const unchecked = useRef<string | null>(null)
  const drawingEvents = useRef<DrawingEvents | null>(null)
  const checkedText = check.isCurrent ? text : null
  const edits = useChartEdits({
    file: path,
    text: checkedText,
    editor,
    onEdited(name, isMoved) {
      // After an agent was removed, the editor of the chart selects another one.
      if (name === null) return
      setAgent(name)
      if (!isMoved) return
      setRevealed({ agent: name })
      unchecked.current = name
    },
  })
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return
    const key = event.key.toLowerCase()
    if (key === "s") void edited.save()
    // Text fields handle undo and redo themselves.
    else if (isTextField(event.target) || !["y", "z"].includes(key)) return
    else if (key === "y" || event.shiftKey) editor?.redo()
    else editor?.undo()
    event.preventDefault()
  }

  const selectAgent = (name: string | null): void => {
    // The selection of the user replaces the agent of the last edit.
    unchecked.current = null
    setAgent(name)
  }
  const showAgent = (name: string): void => {
    const range = check.compiled?.ranges[name]
    selectAgent(name)
    if (range !== undefined) setShown({ line: range.line, column: range.column, isFocused: false })
  }

  useEffect(() => {
    const name = unchecked.current
    if (name === null || check.compiled?.ranges[name] === undefined) return
    showAgent(name)
  }, [check.compiled])

  if (file === null) return <p class="empty">{edited.error ?? "Opening…"}</p>
  const error = edited.error ?? check.error
  const diagnostics = check.compiled?.diagnostics ?? []
  const isFormShown = isPanelOpen && agent !== null
  const drags = useMemo(
    (): AgentDrags => ({
      canDrag: (name: string) => drawingEvents.current?.drags.canDrag(name) ?? false,
      targetAt: (...given: Parameters<AgentDrags["targetAt"]>) =>
        drawingEvents.current?.drags.targetAt(...given) ?? null,
      onDrop: (...given: Parameters<AgentDrags["onDrop"]>) =>
        drawingEvents.current?.drags.onDrop(...given),
    }),
    [],
  )
  return (
    <div class={isFormShown ? "file-view has-panel" : "file-view"} onKeyDown={onKey}>
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
        <ErrorMessage text={error} />
        <div class="editor-place">
          <Editor
            path={path}
            text={text}
            diagnostics={diagnostics}
            onChange={edited.edit}
            onCursor={(offset) => selectAgent(agentAtOffset(check.compiled?.ranges ?? {}, offset))}
            onControl={setEditor}
            onHistory={setHistory}
            shown={shown}
          />
        </div>
        <Problems
          diagnostics={diagnostics}
          isCurrent={check.isCurrent}
          path={path}
          onLocation={(line, column) => setShown({ line, column, isFocused: true })}
        />
      </section>
      <div class="beside">
        <StartForm
          file={file}
          text={text}
          check={check}
          isScripted={isScripted}
          onScripted={setScripted}
          isModuleAllowed={edited.isModuleAllowed}
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
            revealed={revealed}
            onKey={(event) => drawingEvents.current?.onKey(event)}
            onMenu={(name, x, y) => drawingEvents.current?.onMenu(name, x, y)}
            drags={drags}
          >
            <ChartEditor
              file={path}
              edits={edits}
              editor={editor}
              history={history}
              selected={agent}
              onSelect={showAgent}
              isPanelOpen={isPanelOpen}
              onPanel={setPanelOpen}
              drawingEvents={drawingEvents}
            />
          </ChartView>
        )}
        {check.compiled?.chart != null && file.root === null && (
          <HistoryPanel path={path} chart={check.compiled.chart} />
        )}
        <ChecksPanel path={path} text={text} isValid={check.compiled?.svg != null} />
      </div>
      {isFormShown && (
        <AgentPanel
          file={path}
          text={checkedText}
          agent={agent}
          diagnostics={diagnostics}
          send={edits.send}
          undo={() => editor?.undo()}
          // The panel makes the editor smaller, so the agent is moved into view again.
          onOpen={() => showAgent(agent)}
          onClose={() => setPanelOpen(false)}
        />
      )}
    </div>
  )
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea"))

/**
 * Returns the name of the agent whose definition contains an offset in the text. If definitions are
 * nested, returns the innermost agent. Returns null if no definition contains the offset.
 */
function agentAtOffset(ranges: CompiledText["ranges"], offset: number): string | null {
  const around = Object.entries(ranges).filter(([, { from, to }]) => from <= offset && offset <= to)
  const [innermost] = around.toSorted(
    ([, one], [, other]) => one.to - one.from - (other.to - other.from),
  )
  return innermost?.[0] ?? null
}
