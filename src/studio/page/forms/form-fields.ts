import { isJsonObject } from "../client/parse-json.js"

/** A JSON Schema for which a form is generated. */
export type FormSchema = Readonly<Record<string, unknown>>

/** A value that a simple input can edit, such as a text field or a checkbox. */
export type SimpleValue = string | number | boolean

/** A field of a form. It edits one property of an object that a JSON Schema describes. */
export interface FormField {
  readonly name: string
  /**
   * Kind of the input. `lines` is a list of texts with one text on each line, and `json` is any
   * other value as JSON text.
   */
  readonly kind: "text" | "long text" | "number" | "boolean" | "choice" | "lines" | "json"
  readonly choices: readonly SimpleValue[]
  readonly description: string | null
  readonly isRequired: boolean
  /**
   * Whether the property accepts numbers. If true, a typed number becomes a number instead of a
   * text.
   */
  readonly allowsNumber: boolean
}

/**
 * Returns the form fields of an object schema, in the order of its properties. Returns null if the
 * schema does not list properties.
 */
export function formFields(schema: FormSchema): readonly FormField[] | null {
  const { properties, required } = schema
  if (!isJsonObject(properties)) return null
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, property]) =>
    formField(
      {
        name,
        schema: isJsonObject(property) ? property : {},
        isRequired: names.includes(name),
      },
      schema,
    ),
  )
}

/** A property of an object schema, with the current value of the property. */
export interface FormProperty {
  readonly name: string
  readonly schema: FormSchema
  readonly isRequired: boolean
  /**
   * Current value of the property. If the property accepts several types, the type of this value
   * selects the input control.
   */
  readonly value?: unknown
}

/** Returns the form field for a property. References (`$ref`) are resolved in the schema `root`. */
export function formField(
  { name, schema, isRequired, value }: FormProperty,
  root: FormSchema,
): FormField {
  const accepted = acceptedSchemas(schema, root)
  const choices = accepted.flatMap(choicesOf)
  const { description } = schema
  return {
    name,
    kind: kindOf(name, { accepted, choices, root }, value),
    choices,
    description: typeof description === "string" ? description : null,
    isRequired,
    allowsNumber: accepted.some((one) => hasType(one, "number") || hasType(one, "integer")),
  }
}

function kindOf(
  name: string,
  {
    accepted,
    choices,
    root,
  }: {
    readonly accepted: readonly FormSchema[]
    readonly choices: readonly SimpleValue[]
    readonly root: FormSchema
  },
  value: unknown,
): FormField["kind"] {
  const all = (test: (schema: FormSchema) => boolean): boolean =>
    accepted.length > 0 && accepted.every(test)
  const some = (type: string): boolean => accepted.some((schema) => hasType(schema, type))
  if (all((schema) => choicesOf(schema).length > 0))
    return value === undefined || (isSimple(value) && choices.includes(value)) ? "choice" : "json"
  if (all((schema) => hasType(schema, "boolean"))) return "boolean"
  if (all((schema) => hasType(schema, "number") || hasType(schema, "integer"))) return "number"
  if (typeof value === "string" || (typeof value === "number" && some("string")))
    return textKind(name, String(value))
  const isLines =
    value === undefined || (Array.isArray(value) && value.every((item) => isLine(item)))
  if (isLines && accepted.some((schema) => isListOfTexts(schema, root))) return "lines"
  if (value === undefined && some("string")) return textKind(name, "")
  return "json"
}

/** Matches the names of properties whose texts usually have several lines. */
const longTexts = /instruction|prompt|description|message|body/i

const textKind = (name: string, value: string): "text" | "long text" =>
  longTexts.test(name) || value.length > 60 || value.includes("\n") ? "long text" : "text"

/** Maximum depth of nested references and alternatives that are resolved in a schema. */
const maxDepth = 8

/**
 * Returns the alternatives that a schema accepts (`anyOf`, `oneOf` or several types), except null.
 * References and nested alternatives are resolved.
 */
function acceptedSchemas(schema: unknown, root: FormSchema, depth = 0): readonly FormSchema[] {
  if (!isJsonObject(schema) || depth > maxDepth) return []
  const { $ref: reference, anyOf, oneOf, type } = schema
  if (typeof reference === "string")
    return acceptedSchemas(definitionAt(reference, root), root, depth + 1)
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null
  if (alternatives !== null)
    return alternatives.flatMap((alternative) => acceptedSchemas(alternative, root, depth + 1))
  if (Array.isArray(type))
    return type.filter((name) => name !== "null").map((name) => ({ ...schema, type: String(name) }))
  return type === "null" ? [] : [schema]
}

/** Returns the part of the schema `root` to which a reference such as `#/$defs/budget` points. */
function definitionAt(reference: string, root: FormSchema): unknown {
  const [start, ...keys] = reference.split("/")
  if (start !== "#") return null
  let found: unknown = root
  for (const key of keys) found = isJsonObject(found) ? found[key] : null
  return found
}

function choicesOf({ enum: values, const: only }: FormSchema): readonly SimpleValue[] {
  const listed: readonly unknown[] = Array.isArray(values)
    ? values
    : only === undefined
      ? []
      : [only]
  return listed.filter(isSimple)
}

const hasType = ({ type }: FormSchema, name: string): boolean => type === name

const isListOfTexts = (schema: FormSchema, root: FormSchema): boolean =>
  hasType(schema, "array") &&
  acceptedSchemas(schema["items"], root).some((item) => hasType(item, "string"))

const isSimple = (value: unknown): value is SimpleValue =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/**
 * Returns whether a list item can be edited as one line of text. This requires a text without line
 * breaks and surrounding spaces.
 */
const isLine = (item: unknown): boolean =>
  typeof item === "string" && item.trim() === item && item !== "" && !item.includes("\n")
