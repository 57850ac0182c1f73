import "./chart-editor.css"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { EditCommand } from "../../edit-api.js"
import type { EditorControl, EditorHistory } from "./editor-control.js"
import { ErrorMessage } from "../parts/error-message.js"
import { AgentMenu } from "./agent-menu.js"
import type { AgentInTree } from "./agent-tree.js"
import { agentTree } from "./agent-tree.js"
import type { EditAction, OpenForm } from "./edit-actions.js"
import {
  actionNames,
  actionOf,
  firstAddAction,
  formOf,
  isAddForm,
  isOffered,
  obstacleOf,
} from "./edit-actions.js"
import { commandOf, describeCommand, neighbourOf } from "./edit-commands.js"
import { AddForm, RenameForm, WrapForm } from "./edit-forms.js"
import type { Shortcut } from "./drawing-shortcuts.js"
import { shortcutOf } from "./drawing-shortcuts.js"
import { MoveForm } from "./move-form.js"
import type { AgentDrags } from "../canvas/use-state-drag.js"
import { agentDrags } from "./drop-target.js"
import { EdgesForm } from "./edges-form.js"
import { EditTools } from "./edit-tools.js"
import { ShortcutHelp } from "./shortcut-help.js"
import { useActionQueue } from "./use-action-queue.js"
import type { ChartEdits } from "./use-chart-edits.js"

/** Handlers for user input in the drawing of the chart. */
export interface DrawingEvents {
  /** Handles a key that was pressed in the drawing. */
  readonly onKey: (event: KeyboardEvent) => void
  /** Opens the context menu of an agent at a point of the browser window. */
  readonly onMenu: (agent: string, x: number, y: number) => void
  readonly drags: AgentDrags
}

interface ChartEditorProps {
  /** Path of the workflow file to edit. */
  readonly file: string
  readonly edits: ChartEdits
  readonly editor: EditorControl | null
  readonly history: EditorHistory
  /** Name of the selected agent, or null. */
  readonly selected: string | null
  readonly onSelect: (agent: string) => void
  readonly isPanelOpen: boolean
  /** Opens or closes the form with the fields of the selected agent. */
  readonly onPanel: (isOpen: boolean) => void
  /** Ref in which this component stores its handlers for events in the drawing. */
  readonly drawingEvents: RefObject<DrawingEvents | null>
}

interface MenuPosition {
  readonly x: number
  readonly y: number
}

/** Toolbar actions with their labels. The actions that add agents are in a separate form. */
const barActions = [
  ["wrap", "Wrap…"],
  ["move", "Move…"],
  ["edges", "Edges…"],
  ["earlier", "Earlier"],
  ["later", "Later"],
  ["rename", "Rename"],
  ["remove", "Remove"],
  ["unwrap", "Unwrap"],
] as const satisfies readonly (readonly [EditAction, string])[]

/** Editor for the selected agent of a chart, with a toolbar, forms and keyboard shortcuts. */
export function ChartEditor({
  file,
  edits,
  editor,
  history,
  selected,
  onSelect,
  isPanelOpen,
  onPanel,
  drawingEvents,
}: ChartEditorProps) {
  const { workflow } = edits
  const editable = workflow !== null && workflow.refused === null ? workflow : null
  const agents = useMemo(() => agentTree(editable?.agents ?? []), [editable])
  const agent = agents.find(({ name }) => name === selected) ?? null
  /** The last selected agent. Its buttons remain while the server checks the text. */
  const known = useRef<AgentInTree | null>(null)
  if (agent !== null || edits.isCurrent || selected === null) known.current = agent
  const [form, setForm] = useState<OpenForm | null>(null)
  const [menu, setMenu] = useState<MenuPosition | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  /** The element that had the focus when the form opened. It gets the focus back afterwards. */
  const opener = useRef<HTMLElement | null>(null)

  // A later effect would close the form that the next key opens.
  useLayoutEffect(() => {
    setForm(null)
    setRefusal(null)
  }, [selected])

  // After an undo, the message about the last edit is no longer true.
  useEffect(() => {
    if (history.redo > 0) setMessage(null)
  }, [history.redo])

  const openForm = (next: OpenForm): void => {
    if (document.activeElement instanceof HTMLElement) opener.current = document.activeElement
    setForm(next)
  }
  const closeForm = (): void => {
    setForm(null)
    opener.current?.focus()
  }
  const closeMenu = (): void => {
    setMenu(null)
    opener.current?.focus()
  }
  const send = async (command: EditCommand): Promise<string | null> => {
    const edited = await edits.send(command)
    if (!edited.ok) return edited.message
    const [error] = edited.newErrors
    const problem = error === undefined ? "" : ` The text now has an error: ${error.message}`
    setMessage(describeCommand(command, edited.agent) + problem)
    return null
  }
  const sendFromForm = async (command: EditCommand): Promise<string | null> => {
    const refused = await send(command)
    if (refused === null) closeForm()
    return refused
  }
  const run = (action: EditAction): void => {
    if (menu !== null) closeMenu()
    setMessage(null)
    setRefusal(null)
    if (selected !== null && !edits.isCurrent) return queue.add(action)
    if (agent === null) return setRefusal("Select an agent of the chart first.")
    const obstacle = obstacleOf(action, agent)
    if (obstacle !== null) return setRefusal(obstacle)
    const wanted = formOf(action)
    if (wanted !== null) return openForm(wanted)
    setForm(null)
    if (action === "fields") return onPanel(!isPanelOpen)
    const command = commandOf(action, agent)
    if (command === null) return
    void send(command).then((refused) => {
      setRefusal(refused)
      const next = action === "remove" && refused === null ? neighbourOf(agent) : null
      if (next !== null) onSelect(next)
    })
  }
  const queue = useActionQueue(edits.isCurrent, selected, run)
  const step = (by: 1 | -1): void => {
    const position = agents.findIndex(({ name }) => name === selected)
    const next = agents[position === -1 ? (by === 1 ? 0 : agents.length - 1) : position + by]
    if (next !== undefined) onSelect(next.name)
  }
  const runShortcut = ({ does }: Shortcut): void => {
    if (does === "next" || does === "previous") step(does === "next" ? 1 : -1)
    else if (does === "undo") editor?.undo()
    else if (does === "redo") editor?.redo()
    else if (does === "help") setHelpOpen(!isHelpOpen)
    else run(does)
  }
  drawingEvents.current = {
    onKey(event) {
      const shortcut = shortcutOf(event)
      if (shortcut === null) return
      event.preventDefault()
      runShortcut(shortcut)
    },
    onMenu(name, x, y) {
      if (document.activeElement instanceof HTMLElement) opener.current = document.activeElement
      onSelect(name)
      setMenu({ x, y })
    },
    drags: agentDrags(agents, selected, (name, placement) => {
      onSelect(name)
      void send({ kind: "moveAgent", name, placement }).then(setRefusal)
    }),
  }

  const refused = workflow?.refused ?? null
  const shown = known.current
  const addAction = firstAddAction(shown)
  return (
    <div class="chart-editor" role="group" aria-label="Edit the chart">
      <div class="edit-head">
        <p class="edit-title">
          {shown !== null ? (
            <>
              <strong>{selected}</strong> <small>{agent?.type}</small>{" "}
              {agent !== null && agent.file !== null && (
                <a href={`#/file/${encodeURIComponent(besideFile(file, agent.file))}`}>
                  {agent.file}
                </a>
              )}
            </>
          ) : (
            <span class="calm">
              {refused === null
                ? "Select a state to edit it."
                : `${refused.message} ${refused.fix}`}
            </span>
          )}
        </p>
        <EditTools editor={editor} history={history} isHelpOpen={isHelpOpen} onHelp={setHelpOpen} />
      </div>
      {shown !== null && refused === null && (
        <div class="edit-actions" aria-busy={!queue.isEmpty}>
          {isOffered("fields", shown) && (
            <button
              type="button"
              class="is-first"
              aria-pressed={isPanelOpen}
              onClick={() => run("fields")}
            >
              {actionNames.fields}
            </button>
          )}
          <button
            type="button"
            aria-expanded={isAddForm(form)}
            onClick={() => (isAddForm(form) ? closeForm() : run(addAction))}
          >
            Add…
          </button>
          {barActions
            .filter(([action]) => isOffered(action, shown))
            .map(([action, label]) => (
              <button
                key={action}
                type="button"
                aria-disabled={obstacleOf(action, shown) !== null}
                {...(formOf(action) !== null && { "aria-expanded": form === formOf(action) })}
                onClick={() =>
                  form !== null && form === formOf(action) ? closeForm() : run(action)
                }
              >
                {label}
              </button>
            ))}
        </div>
      )}
      {agent !== null && form !== null && (
        <div class="edit-place">
          {form === "wrap" ? (
            <WrapForm agent={agent} onSend={sendFromForm} onCancel={closeForm} />
          ) : form === "move" ? (
            <MoveForm agent={agent} agents={agents} onSend={sendFromForm} onCancel={closeForm} />
          ) : form === "edges" ? (
            <EdgesForm
              agent={agent}
              isCurrent={edits.isCurrent}
              onSend={sendFromForm}
              onCancel={closeForm}
            />
          ) : form === "rename" ? (
            <RenameForm agent={agent} onSend={sendFromForm} onCancel={closeForm} />
          ) : (
            <AddForm
              agent={agent}
              types={editable?.types ?? []}
              nodeTypes={editable?.nodeTypes ?? []}
              position={form}
              onPosition={setForm}
              obstacleAt={(position) => obstacleOf(actionOf(position), agent)}
              onSend={sendFromForm}
              onCancel={closeForm}
            />
          )}
        </div>
      )}
      <ErrorMessage text={refusal ?? edits.error} />
      <p role="status" class={message === null ? "edit-message is-empty" : "edit-message"}>
        {message}
      </p>
      {isHelpOpen && <ShortcutHelp />}
      {menu !== null && agent !== null && (
        <AgentMenu agent={agent} {...menu} onAction={run} onClose={closeMenu} />
      )}
    </div>
  )
}

/** Returns the path of the file `name` in the same folder as `file`. */
const besideFile = (file: string, name: string): string =>
  file.slice(0, file.lastIndexOf("/") + 1) + name
