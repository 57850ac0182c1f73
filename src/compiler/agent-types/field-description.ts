import type { DiagnosticCode } from "../diagnostics/diagnostic.js"
import type { Dialect } from "./dialects.js"
import type { ValueType } from "./value-types.js"

/**
 * The description of one field of a config. The key of the field in its table is its name inside
 * the compiler and in charts.
 */
export interface FieldDescription {
  /** The type of its values. `choice` stands for one of its `choices`. */
  readonly type: ValueType | "choice"
  /** The allowed values of a `choice`, the default first. */
  readonly choices?: readonly string[]
  /** The value of a field that a config does not have. Without it, the value is null. */
  readonly default?: boolean | number | string
  /** The default as Markdown, if it is not the value of `default` and not "none". */
  readonly defaultText?: string
  /** The meaning of the field as Markdown, for docs/config.md. */
  readonly description: string
  /** Whether the field exists in this project, but not in Graph Compose. */
  readonly extension?: true
  /** The dialects that have the field. */
  readonly dialects: { readonly [Name in Dialect]?: FieldSpelling }
}

/** How a field is written in one dialect. */
export interface FieldSpelling {
  /** The name in camelCase, if it differs from the key. The snake_case form is accepted, too. */
  readonly name?: string
  /** Further names that are accepted. */
  readonly aliases?: readonly string[]
  /** Names that users write by mistake. They are not accepted, but lead to a suggestion. */
  readonly synonyms?: readonly string[]
  /** The diagnostic for a missing field. Without it, the field is optional. */
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

/** The description of a type of objects in a config: an agent type, a tool type or a settings object. */
export interface ObjectDescription<Fields extends FieldDescriptions = FieldDescriptions> {
  /** Name with its article, as it is used in messages: `a LoopAgent`. */
  readonly name: string
  readonly fields: Fields
  /**
   * Dialects in which a field of a related type is an error. In the others, it is a warning.
   */
  readonly strictIn?: readonly Dialect[]
}

/**
 * The value of a field, for a map from value types to TypeScript types; `null` if the config does
 * not have the field.
 */
export type FieldValue<Field extends FieldDescription, Values> =
  | (Field extends { readonly type: "choice"; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Field["type"] extends keyof Values
        ? Values[Field["type"]]
        : never)
  | (Field extends { readonly default: boolean | number | string } ? never : null)

/** The values of all fields of a table. Every field is present. */
export type FieldValues<Fields extends FieldDescriptions, Values> = {
  readonly [Name in keyof Fields]: FieldValue<Fields[Name], Values>
}

/** Returns the default of a field as Markdown. */
export const defaultOf = ({ default: value, defaultText }: FieldDescription): string =>
  defaultText ?? (value === undefined ? "none" : `\`${JSON.stringify(value)}\``)
