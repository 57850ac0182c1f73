import type { MessageSchema } from "../../api.js"
import { isJsonObject, parseJson } from "../client/parse-json.js"
import { FieldInput } from "../forms/field-input.js"
import { textOfValue, valueOfText } from "../forms/field-text.js"
import type { FormField } from "../forms/form-fields.js"
import { formFields } from "../forms/form-fields.js"

interface SchemaFormProps {
  /** JSON Schema of the message, which must be an object. */
  readonly schema: MessageSchema
  /** The message as JSON text, for example `{"city":"Rome"}`. */
  readonly text: string
  readonly onChange: (text: string) => void
}

/**
 * Form for the first user message of a run. It has an input for each field of the message, which is
 * a JSON object with simple fields.
 */
export function SchemaForm({ schema, text, onChange }: SchemaFormProps) {
  const value = objectIn(text) ?? {}
  const set = (field: FormField, typed: string): void => {
    const parsed = valueOfText(field, typed)
    const { [field.name]: _replaced, ...others } = value
    const isUnset = !parsed.ok || parsed.value === undefined
    onChange(JSON.stringify(isUnset ? others : { ...others, [field.name]: parsed.value }))
  }
  return (
    <fieldset class="schema-form">
      <legend>Input</legend>
      {(simpleFields(schema) ?? []).map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={textOfValue(field, value[field.name])}
          onText={(typed) => set(field, typed)}
          help={field.description}
        />
      ))}
    </fieldset>
  )
}

/**
 * Returns whether `SchemaForm` can edit messages that match a schema. This requires an object
 * schema in which all fields have simple values, such as texts and numbers.
 */
export const isFormSchema = (schema: MessageSchema): boolean => simpleFields(schema) !== null

/**
 * Returns the form fields for the properties of an object schema. Returns null if the schema is not
 * an object, has no properties, or has a property that is not a simple value.
 */
function simpleFields(schema: MessageSchema): readonly FormField[] | null {
  const fields = schema["type"] === "object" ? formFields(schema) : null
  const isSimple = fields?.every(({ kind }) => kind !== "json" && kind !== "lines") === true
  return isSimple && fields.length > 0 ? fields : null
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  // A text that is not a JSON object is replaced by the first input in the form.
  const parsed = parseJson(text, "")
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null
}
