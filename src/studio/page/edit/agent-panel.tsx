import "./agent-panel.css"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Diagnostic } from "../../api.js"
import type { AgentForm, AgentFormField } from "../../edit-api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { ErrorMessage } from "../parts/error-message.js"
import { AgentField } from "./agent-field.js"
import type { ChartEdits } from "./use-chart-edits.js"
import { SearchInput } from "../parts/search-input.js"

interface AgentPanelProps {
  readonly file: string
  /** Text of the workflow in the editor. Null while the text is being checked. */
  readonly text: string | null
  readonly agent: string
  readonly diagnostics: readonly Diagnostic[]
  readonly send: ChartEdits["send"]
  readonly undo: () => void
  /** Called after the panel is displayed and has changed the layout of the page. */
  readonly onOpen: () => void
  readonly onClose: () => void
}

/**
 * Names of fields that the form shows even if they have no value, because most agents need them.
 */
const commonFields: ReadonlySet<string> = new Set(["instruction", "instructions"])

/** Minimum number of unset fields for which the form shows a search field. */
const searchFrom = 8

/**
 * Component for a form with the fields of one agent. Each change of a field becomes one edit of the
 * workflow text.
 */
export function AgentPanel({
  file,
  text,
  agent,
  diagnostics,
  send,
  undo,
  onOpen,
  onClose,
}: AgentPanelProps) {
  const [form, setForm] = useState<AgentForm | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [search, setSearch] = useState("")
  const panel = useRef<HTMLElement>(null)
  /**
   * The element that had the focus before the panel opened. It gets the focus back when the panel
   * closes.
   */
  const opener = useRef(document.activeElement)
  const scroller = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (text === null) return
    const controller = new AbortController()
    fetchJson<AgentForm>("/edit/agent", {
      method: "POST",
      body: { file, text, name: agent },
      signal: controller.signal,
    }).then(
      (loaded) => {
        setForm(loaded)
        setError(null)
      },
      (cause: unknown) => {
        if (!controller.signal.aborted) setError(messageOf(cause))
      },
    )
    return () => controller.abort()
  }, [file, text, agent])
  // The panel has the focus as soon as it is visible, so that it receives the next key.
  useLayoutEffect(() => {
    // On a phone, the panel covers the lower half of the page.
    if (matchMedia("(max-width: 900px)").matches)
      document.querySelector(".canvas")?.scrollIntoView({ block: "start" })
    panel.current?.focus({ preventScroll: true })
    onOpen()
  }, [])

  const loaded = form !== null && form.refused === null ? form : null
  const close = (): void => {
    onClose()
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0
  }, [loaded?.name])
  const fields = loaded?.fields ?? []
  const isShown = ({ isRequired, name, value }: AgentFormField): boolean =>
    isRequired || value !== undefined || commonFields.has(name)
  const shown = [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter((field) => !field.isRequired && isShown(field)),
  ]
  const unset = fields.filter((field) => !isShown(field))
  const wanted = search.trim().toLowerCase()
  const found = unset.filter(
    ({ name, description }) =>
      name.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
  const fieldOf = (field: AgentFormField) =>
    loaded !== null && (
      <AgentField
        key={`${loaded.name} ${field.key}`}
        agent={loaded.name}
        field={field}
        definitions={loaded.definitions}
        diagnostics={diagnostics.filter(
          (one) =>
            one.agent === loaded.name && (one.field === field.key || one.field === field.name),
        )}
        send={send}
        undo={undo}
      />
    )
  return (
    <section
      ref={panel}
      class="agent-panel"
      tabIndex={-1}
      aria-label={`Fields of ${agent}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close()
      }}
    >
      <header>
        <h3>
          {loaded?.name ?? agent} <small>{loaded?.type}</small>
        </h3>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <div ref={scroller} class="agent-fields">
        <ErrorMessage text={error} />
        {form !== null && form.refused !== null && (
          <p class="calm">
            {form.refused.message} {form.refused.fix}
          </p>
        )}
        {shown.map(fieldOf)}
        {unset.length > 0 && (
          <details
            onToggle={({ currentTarget }) => {
              if (currentTarget.open) currentTarget.scrollIntoView({ block: "start" })
            }}
          >
            <summary>
              More fields <small>{unset.length}</small>
            </summary>
            <div class="agent-fields">
              {unset.length >= searchFrom && (
                <SearchInput label="Find a field" value={search} onChange={setSearch} />
              )}
              {found.map(fieldOf)}
              {found.length === 0 && <p class="calm">No field contains this text.</p>}
            </div>
          </details>
        )}
      </div>
      <footer class="calm">
        A change is applied when you leave the field or press Enter, in long texts Ctrl+Enter.
        Escape discards it.
      </footer>
    </section>
  )
}
