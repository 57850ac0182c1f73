import type { DiagnosticCode } from "../diagnostics/diagnostic.js"
import type { Dialect } from "./dialects.js"
import type { ValueType } from "./value-types.js"

/**
 * The description of one config field. Its key in the field table is the name of the field inside
 * the compiler and in charts.
 */
export interface FieldDescription {
  /** The type of the field's values. `choice` allows only the values in `choices`. */
  readonly type: ValueType | "choice"
  /** The allowed values of a `choice`. The default comes first. */
  readonly choices?: readonly string[]
  /** The value if a config does not have the field. Without a default, the value is null. */
  readonly default?: boolean | number | string
  /** The default in Markdown. Only needed if it is not the text of `default` or "none". */
  readonly defaultText?: string
  /** The meaning of the field in Markdown, for docs/config.md. */
  readonly description: string
  /** Set if the field exists only in this project and not in Graph Compose. */
  readonly extension?: true
  /** The dialects that have the field, with its spelling in each. */
  readonly dialects: { readonly [Name in Dialect]?: FieldSpelling }
}

/** The names of a field in one dialect. */
export interface FieldSpelling {
  /**
   * The name in camelCase, if it is not the key of the field. The snake_case form of the name is
   * also accepted.
   */
  readonly name?: string
  /** Other names that are accepted for the field. */
  readonly aliases?: readonly string[]
  /**
   * Names that users write by mistake. They are not accepted, but the message suggests the right
   * name.
   */
  readonly synonyms?: readonly string[]
  /** The diagnostic for a missing field. If absent, the field is optional. */
  readonly missing?: MissingField
}

export interface MissingField {
  readonly code: DiagnosticCode
  /** Completes the message `"..." is missing: `. */
  readonly because?: string
  readonly fix: string
  /** Name of another field that can replace this one. */
  readonly unless?: string
}

export type FieldDescriptions = Readonly<Record<string, FieldDescription>>

/**
 * The description of one kind of config object, such as an agent type, a tool type or a group of
 * settings.
 */
export interface ObjectDescription<Fields extends FieldDescriptions = FieldDescriptions> {
  /** Name of the object in messages, with its article: `a LoopAgent`. */
  readonly name: string
  readonly fields: Fields
  /**
   * Dialects in which a field of a related object type is an error. In other dialects, it is a
   * warning.
   */
  readonly strictIn?: readonly Dialect[]
}

/**
 * The type of a field's value, or null if the config does not have the field. `Values` maps value
 * types to TypeScript types.
 */
export type FieldValue<Field extends FieldDescription, Values> =
  | (Field extends { readonly type: "choice"; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Field["type"] extends keyof Values
        ? Values[Field["type"]]
        : never)
  | (Field extends { readonly default: boolean | number | string } ? never : null)

/** The types of all field values of a table. Every field is present. */
export type FieldValues<Fields extends FieldDescriptions, Values> = {
  readonly [Name in keyof Fields]: FieldValue<Fields[Name], Values>
}

/** Returns the default of a field in Markdown. */
export const defaultOf = ({ default: value, defaultText }: FieldDescription): string =>
  defaultText ?? (value === undefined ? "none" : `\`${JSON.stringify(value)}\``)
