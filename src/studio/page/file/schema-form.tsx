import type { MessageSchema } from "../../api.js"

interface SchemaFormProps {
  /** JSON Schema of an object. */
  readonly schema: MessageSchema
  /** The message as JSON text. */
  readonly text: string
  readonly onChange: (text: string) => void
}

type Value = string | number | boolean

interface FormField {
  readonly name: string
  readonly kind: "text" | "number" | "boolean" | "choice"
  readonly choices: readonly Value[]
  readonly description: string | null
  readonly isRequired: boolean
}

/** A form for the first message of a run, if this message is a JSON object with simple fields. */
export function SchemaForm({ schema, text, onChange }: SchemaFormProps) {
  const value = objectIn(text) ?? {}
  const set = (name: string, next: Value | undefined): void => {
    const { [name]: _replaced, ...others } = value
    onChange(JSON.stringify(next === undefined ? others : { ...others, [name]: next }))
  }
  return (
    <fieldset class="schema-form">
      <legend>Input</legend>
      {(fieldsOf(schema) ?? []).map((field) => (
        <Field
          key={field.name}
          field={field}
          value={value[field.name]}
          onChange={(next) => set(field.name, next)}
        />
      ))}
    </fieldset>
  )
}

function Field({
  field: { name, kind, choices, description, isRequired },
  value,
  onChange,
}: {
  readonly field: FormField
  readonly value: unknown
  readonly onChange: (value: Value | undefined) => void
}) {
  const label = (
    <>
      {name}
      {isRequired && <span aria-hidden="true"> *</span>}
      {description !== null && <small> {description}</small>}
    </>
  )
  if (kind === "boolean")
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {label}
      </label>
    )
  if (kind === "choice")
    return (
      <label>
        {label}
        <select
          required={isRequired}
          value={String(choices.indexOf(value as Value))}
          onChange={({ currentTarget }) => onChange(choices[Number(currentTarget.value)])}
        >
          <option value="-1">–</option>
          {choices.map((choice, index) => (
            <option key={String(choice)} value={String(index)}>
              {String(choice)}
            </option>
          ))}
        </select>
      </label>
    )
  const text = typeof value === "string" || typeof value === "number" ? value : ""
  return (
    <label>
      {label}
      {kind === "text" ? (
        <input
          required={isRequired}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          type="number"
          step="any"
          required={isRequired}
          value={text}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            onChange(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
          }
        />
      )}
    </label>
  )
}

/**
 * Returns whether the form can edit messages of a schema: an object whose fields are all simple
 * values.
 */
export const isFormSchema = (schema: MessageSchema): boolean => fieldsOf(schema) !== null

/**
 * Returns the fields of an object schema. null if the schema is not an object schema, or if a field
 * is not a simple value.
 */
function fieldsOf({ type, properties, required }: MessageSchema): readonly FormField[] | null {
  if (type !== "object" || !isObject(properties)) return null
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, property]): FormField | null => {
    if (!isObject(property)) return null
    const choices = Array.isArray(property["enum"]) ? property["enum"] : []
    const kind = choices.length > 0 ? "choice" : kinds[String(property["type"])]
    if (kind === undefined || !choices.every(isValue)) return null
    const { description } = property
    return {
      name,
      kind,
      choices,
      description: typeof description === "string" ? description : null,
      isRequired: names.includes(name),
    }
  })
  const known = fields.filter((field) => field !== null)
  return known.length === fields.length && known.length > 0 ? known : null
}

const kinds: Readonly<Partial<Record<string, FormField["kind"]>>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
}

const isValue = (value: unknown): value is Value =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    // A text that is not JSON is replaced by the first input in the form.
    return null
  }
}
