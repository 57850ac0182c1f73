import type { Dialect } from "../../../compiler/agent-types/dialects.js"
import { impliedDialect } from "../../../compiler/1-parse/workflow/dialect.js"
import { configSchema } from "../../../compiler/schema/config-schema.js"
import type { EditorCompletions, EditorHover, EditorOption } from "../../api.js"
import type { SchemaObject } from "../../../compiler/schema/object-schema.js"
import { schemasAt, valueIn } from "./applicable-schemas.js"
import type { TextLocation } from "./text-location.js"
import { locationInJson, locationInYaml } from "./text-location.js"

/** The path and the text of the file in the editor, and the offset of the cursor. */
export interface EditedText {
  readonly path: string
  readonly text: string
  readonly offset: number
}

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path)

const locate = ({ path, text, offset }: EditedText): TextLocation | null =>
  isYaml(path) ? locationInYaml(text, offset) : locationInJson(text, offset)

/** The cached JSON Schemas of configs, by dialect. */
const schemas = new Map<Dialect, SchemaObject>()

function schemaOf(dialect: Dialect): SchemaObject {
  const known = schemas.get(dialect) ?? configSchema(dialect)
  schemas.set(dialect, known)
  return known
}

function dialectOf({ path }: EditedText, config: unknown): Dialect {
  // An Agent Config file is YAML, also while it is empty.
  return isObject(config) && Object.keys(config).length > 0
    ? impliedDialect(config)
    : isYaml(path)
      ? "adk"
      : "graph-compose"
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the fields or values that are valid at the cursor. Returns null if there are none. */
export function completionsAt(edited: EditedText): EditorCompletions | null {
  const location = locate(edited)
  if (location === null) return null
  const { kind, from, to, path, config } = location
  const dialect = dialectOf(edited, config)
  const applicable = schemasAt(schemaOf(dialect), config, path)
  const options =
    kind === "key"
      ? keyOptions(applicable, location, dialect, isYaml(edited.path))
      : valueOptions(applicable, isYaml(edited.path))
  return options.length === 0 ? null : { from, to, options }
}

/**
 * Returns the description of the field at the cursor. Returns null if the field has no description.
 */
export function hoverAt(edited: EditedText): EditorHover | null {
  const location = locate(edited)
  if (location === null || location.kind !== "key") return null
  const { path, key, from, to, config } = location
  const [field] = schemasAt(schemaOf(dialectOf(edited, config)), config, path)
    .flatMap(({ properties }) => (isObject(properties) ? [properties] : []))
    .flatMap((properties) => (Object.hasOwn(properties, key) ? [properties[key]] : []))
    .flatMap((property) => descriptionOf(property) ?? [])
  return field === undefined ? null : { from, to, name: key, description: field }
}

const descriptionOf = (schema: unknown): string | null =>
  isObject(schema) && typeof schema["description"] === "string" ? schema["description"] : null

function keyOptions(
  applicable: readonly SchemaObject[],
  { path, key, config }: TextLocation,
  dialect: Dialect,
  yaml: boolean,
): readonly EditorOption[] {
  const object = path.reduce(valueIn, config)
  const isTaken = (name: string): boolean =>
    name !== key && isObject(object) && Object.hasOwn(object, name)
  const options = new Map<string, EditorOption>()
  for (const schema of applicable) {
    for (const { names, description } of fieldsOf(schema)) {
      if (names.some(isTaken)) continue
      const name = spelling(names, dialect)
      options.set(name, {
        label: name,
        description,
        insert: yaml ? `${name}: ` : `${JSON.stringify(name)}: `,
      })
    }
  }
  return [...options.values()]
}

/**
 * Returns the fields of a JSON Schema that have a description. A field can have several names, for
 * example `outputKey` and `output_key`.
 */
function fieldsOf({
  properties,
  dependentSchemas,
}: SchemaObject): readonly { readonly names: readonly string[]; readonly description: string }[] {
  if (!isObject(properties)) return []
  const seen = new Set<string>()
  return Object.entries(properties).flatMap(([name, property]) => {
    const description = descriptionOf(property)
    if (seen.has(name) || description === null) return []
    const dependent = isObject(dependentSchemas) ? dependentSchemas[name] : undefined
    const others = isObject(dependent) ? dependent["properties"] : undefined
    const names = [name, ...(isObject(others) ? Object.keys(others) : [])]
    for (const each of names) seen.add(each)
    return [{ names, description }]
  })
}

/**
 * Returns the name that the completion inserts for a field with several names. In the adk dialect,
 * this is the snake_case name. Otherwise, this is the first name.
 */
const spelling = (names: readonly string[], dialect: Dialect): string =>
  (dialect === "adk" ? names.find((name) => !/[A-Z]/.test(name)) : undefined) ?? names[0] ?? ""

function valueOptions(applicable: readonly SchemaObject[], yaml: boolean): readonly EditorOption[] {
  const values = applicable.flatMap((schema): readonly unknown[] => {
    if (Array.isArray(schema["enum"])) return schema["enum"]
    if (schema["type"] === "boolean") return [true, false]
    return Object.hasOwn(schema, "const") ? [schema["const"]] : []
  })
  return [...new Set(values)]
    .filter((value) => typeof value === "string" || typeof value === "boolean")
    .map((value) => ({
      label: String(value),
      description: "",
      insert: yaml ? String(value) : JSON.stringify(value),
    }))
}
