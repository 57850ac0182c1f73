import { useEffect, useRef, useState } from "preact/hooks"
import type { Diagnostic } from "../../api.js"
import type { EditableWorkflow, EditCommand, EditResult } from "../../edit-api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import type { EditorControl } from "./editor-control.js"

/**
 * The result of an edit. After a success, it contains the agent to select and the errors that the
 * edit caused. Otherwise, `message` explains why the edit was rejected.
 */
export type Edited =
  | { readonly ok: true; readonly agent: string | null; readonly newErrors: readonly Diagnostic[] }
  | { readonly ok: false; readonly message: string }

/** The agents of the workflow in the editor, and a function that edits its text with commands. */
export interface ChartEdits {
  /** The agents that the text defines. Null until they are loaded. */
  readonly workflow: EditableWorkflow | null
  /** Whether `workflow` belongs to the current text in the editor and no edit is in progress. */
  readonly isCurrent: boolean
  readonly error: string | null
  /**
   * Sends an edit command to the server and applies the resulting changes to the text in the
   * editor. A single undo reverts the command.
   */
  readonly send: (command: EditCommand) => Promise<Edited>
}

interface ChartEditsOptions {
  readonly file: string
  /** Text in the editor. Null while the check of the latest text is in progress. */
  readonly text: string | null
  readonly editor: EditorControl | null
  /**
   * Called after an edit with the agent to select. `isMoved` is false if only a field was changed,
   * because then the agent's state does not move in the drawing.
   */
  readonly onEdited: (agent: string | null, isMoved: boolean) => void
}

export function useChartEdits({ file, text, editor, onEdited }: ChartEditsOptions): ChartEdits {
  const [loaded, setLoaded] = useState<{
    readonly of: string
    readonly workflow: EditableWorkflow
  } | null>(null)
  const [error, setError] = useState<string | null>(null)
  /** Number of edits that were sent but are not applied yet. */
  const [sent, setSent] = useState(0)
  /**
   * Promise that resolves when all earlier edits are applied. Edits are applied one after another,
   * because each edit changes the text that the previous edit has produced.
   */
  const last = useRef<Promise<unknown>>(Promise.resolve())

  useEffect(() => {
    if (text === null) return
    const controller = new AbortController()
    fetchJson<EditableWorkflow>("/edit/agents", {
      method: "POST",
      body: { file, text },
      signal: controller.signal,
    }).then(
      (workflow) => {
        setLoaded({ of: text, workflow })
        setError(null)
      },
      (cause: unknown) => {
        if (!controller.signal.aborted) setError(messageOf(cause))
      },
    )
    return () => controller.abort()
  }, [file, text])

  const apply = async (command: EditCommand): Promise<Edited> => {
    if (editor === null) return { ok: false, message: "The editor is not loaded yet. Try again." }
    const before = editor.text()
    try {
      const result = await fetchJson<EditResult>("/edit", {
        method: "POST",
        body: { file, text: before, command },
      })
      if (result.refused !== null)
        return { ok: false, message: `${result.refused.message} ${result.refused.fix}` }
      if (editor.text() !== before)
        return { ok: false, message: "The text changed during the edit. Try again." }
      editor.apply(result.edits)
      onEdited(result.agent, command.kind !== "setField")
      return { ok: true, agent: result.agent, newErrors: result.newErrors }
    } catch (cause) {
      return { ok: false, message: messageOf(cause) }
    }
  }
  return {
    workflow: loaded?.workflow ?? null,
    isCurrent: sent === 0 && loaded !== null && loaded.of === text,
    error,
    send(command) {
      setSent((before) => before + 1)
      const edited = last.current
        .then(() => apply(command))
        .finally(() => setSent((before) => before - 1))
      last.current = edited
      return edited
    },
  }
}
