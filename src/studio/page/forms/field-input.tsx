import "./field-input.css"
import type { ComponentChildren } from "preact"
import type { FormField } from "./form-fields.js"

interface FieldInputProps {
  readonly field: FormField
  /** The text in the input, as returned by `textOfValue`. */
  readonly text: string
  readonly onText: (text: string) => void
  /** Help for the field, shown next to its name. */
  readonly help?: ComponentChildren
  /** Text that the input shows while it is empty. */
  readonly placeholder?: string | undefined
  /** Id of the element that shows the error message of the input. Absent if there is no error. */
  readonly errorId?: string | undefined
}

/** Maximum height of a multiline input that grows with its text, in lines. */
const maxRows = 14

/** Component with the label and the input for one field of a form. */
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
