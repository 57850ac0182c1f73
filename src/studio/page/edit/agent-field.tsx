import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks"
import type { Diagnostic } from "../../api.js"
import type { AgentFormField, EditCommand } from "../../edit-api.js"
import { isJsonObject } from "../client/parse-json.js"
import { FieldInput } from "../forms/field-input.js"
import { textOfValue, valueOfText } from "../forms/field-text.js"
import { formField } from "../forms/form-fields.js"
import { CodeText } from "../parts/code-text.js"
import type { ChartEdits } from "./use-chart-edits.js"

interface AgentFieldProps {
  readonly agent: string
  readonly field: AgentFormField
  /** The JSON Schema definitions (`$defs`) that the schema of `field` refers to. */
  readonly definitions: Readonly<Record<string, unknown>>
  /** Errors and warnings about this field. */
  readonly diagnostics: readonly Diagnostic[]
  readonly send: ChartEdits["send"]
  readonly undo: () => void
}

/**
 * Key of the field that contains the name of an agent. If the user changes it, all references to
 * the agent also change.
 */
const nameKey = "id"

/**
 * Component for the input of one field of an agent. It stores the typed text until the user applies
 * the change.
 */
export function AgentField({
  agent,
  field,
  definitions,
  diagnostics,
  send,
  undo,
}: AgentFieldProps) {
  const { key, name, value, schema, isRequired } = field
  const input = useMemo(
    () =>
      formField(
        { name, schema: isJsonObject(schema) ? schema : {}, isRequired, value },
        { $defs: definitions },
      ),
    [field, definitions],
  )
  const isUnsetBoolean = input.kind === "boolean" && value === undefined
  const stored = isUnsetBoolean ? String(field.default === true) : textOfValue(input, value)
  /**
   * The text that the user has typed. Null if the user has typed nothing, so that the input shows
   * the value in the workflow.
   */
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const applied = useRef<string | null>(null)
  const errorId = useId()

  useEffect(() => {
    setTyped((before) => (before === applied.current ? null : before))
    applied.current = null
  }, [field])

  const apply = async (text: string): Promise<void> => {
    if (text === stored) return setTyped(null)
    if (text === applied.current) return
    const parsed = valueOfText(input, text)
    if (!parsed.ok) return setError(parsed.message)
    applied.current = text
    const edited = await send(commandOf(agent, key, parsed.value))
    if (edited.ok) return setError(null)
    applied.current = null
    setError(edited.message)
  }
  const onKey = (event: KeyboardEvent): void => {
    const hasCtrl = event.ctrlKey || event.metaKey
    const isLong = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && (!isLong || hasCtrl)) {
      event.preventDefault()
      void apply(typed ?? stored)
    } else if (event.key === "Escape" && typed !== null) {
      event.stopPropagation()
      setTyped(null)
      setError(null)
    } else if (event.key === "z" && hasCtrl && !event.shiftKey && typed === null) {
      // The input contains no unsaved text to undo, so the last edit of the workflow is undone.
      event.preventDefault()
      undo()
    }
  }
  const isImmediate = input.kind === "boolean" || input.kind === "choice"
  const problems =
    error === null ? diagnostics.map(({ message, fix }) => `${message} ${fix}`) : [error]
  return (
    <div
      class="agent-field"
      onKeyDown={onKey}
      onFocusOut={() => {
        if (typed !== null) void apply(typed)
      }}
    >
      <FieldInput
        field={input}
        text={typed ?? stored}
        onText={(text) => {
          setTyped(text)
          if (isImmediate) void apply(text)
        }}
        help={<CodeText text={field.description} />}
        placeholder={field.default === undefined ? undefined : defaultText(field.default)}
        errorId={problems.length > 0 ? errorId : undefined}
      />
      {value !== undefined && !isRequired && (
        <button
          type="button"
          class="field-unset"
          aria-label={`Unset ${name}`}
          title="Remove the field from the text"
          onClick={() => void apply("")}
        >
          Unset
        </button>
      )}
      {problems.length > 0 && (
        <p id={errorId} role="alert" class="trouble">
          {problems.join(" ")}
        </p>
      )}
    </div>
  )
}

/**
 * Returns a text about the default value of a field, for example `Default: true`. The default
 * applies if the field is not set.
 */
const defaultText = (value: unknown): string =>
  `Default: ${typeof value === "string" ? value : JSON.stringify(value)}`

const commandOf = (agent: string, key: string, value: unknown): EditCommand =>
  key === nameKey && typeof value === "string"
    ? { kind: "renameAgent", from: agent, to: value }
    : {
        kind: "setField",
        agent,
        field: [key],
        ...(value !== undefined && { value }),
      }
