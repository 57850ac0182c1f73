import "./field-input.css"
import type { ComponentChildren } from "preact"
import type { FormField } from "./form-fields.js"

interface FieldInputProps {
  readonly field: FormField
  /** The text in the input. `textOfValue` converts a value to this text. */
  readonly text: string
  readonly onText: (text: string) => void
  /** Help for the field, shown below the label. */
  readonly help?: ComponentChildren
  /** Text that is shown while the input is empty. */
  readonly placeholder?: string | undefined
  /** Id of the element that shows the input's error message. Absent if there is no error. */
  readonly errorId?: string | undefined
}

/** Maximum height, in lines, of an input that grows with its text. */
const maxRows = 14

/** A label with the input for one field of a form. */
export function FieldInput({
  field,
  text,
  onText,
  help,
  placeholder = "",
  errorId,
}: FieldInputProps) {
  const { name, kind, choices, isRequired } = field
  const label = (
    <span class="field-label">
      <span class="field-name">
        {name}
        {isRequired && <span aria-hidden="true"> *</span>}
      </span>
      {help !== undefined && help !== null && <small> {help}</small>}
    </span>
  )
  const invalid =
    errorId === undefined ? {} : { "aria-invalid": true as const, "aria-describedby": errorId }
  if (kind === "boolean")
    return (
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={text === "true"}
          onChange={({ currentTarget }) => onText(String(currentTarget.checked))}
          {...invalid}
        />
        {label}
      </label>
    )
  return (
    <label class="field-input">
      {label}
      {kind === "choice" ? (
        <select
          name={name}
          required={isRequired}
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
          {...invalid}
        >
          <option value="">{placeholder === "" ? "–" : placeholder}</option>
          {choices.map((choice, index) => (
            <option key={String(choice)} value={String(index)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : kind === "text" || kind === "number" ? (
        <input
          name={name}
          {...(kind === "number" && { type: "number", step: "any" })}
          required={isRequired}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          {...invalid}
        />
      ) : (
        <textarea
          name={name}
          class={kind === "long text" ? "is-prose" : ""}
          rows={Math.min(maxRows, Math.max(kind === "json" ? 2 : 1, text.split("\n").length))}
          required={isRequired}
          placeholder={placeholder}
          spellcheck={kind === "long text"}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          {...invalid}
        />
      )}
    </label>
  )
}
