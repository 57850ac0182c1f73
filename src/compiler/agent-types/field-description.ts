import type { DiagnosticCode } from "../diagnostics/diagnostic.js"
import type { Dialect } from "./dialects.js"
import type { ValueType } from "./value-types.js"

/**
 * The description of one config field. The key of the description is the name of the field in the
 * compiler and in charts.
 */
export interface FieldDescription {
  /** The type of the field's values. `choice`: the value must be one of `choices`. */
  readonly type: ValueType | "choice"
  /** The allowed values of a `choice`. The default comes first. */
  readonly choices?: readonly string[]
  /** The value of the field if a config does not set it. A field without a default is null then. */
  readonly default?: boolean | number | string
  /**
   * Describes the default in the documentation, in Markdown. Without this text, the documentation
   * contains the value of `default`, or "none" for a field without a default.
   */
  readonly defaultText?: string
  /** Explains the field, in Markdown. It is printed in docs/config.md. */
  readonly description: string
  /** Set if the field exists only in this project and not in Graph Compose. */
  readonly extension?: true
  /** The dialects that have the field, with the field's names in each of them. */
  readonly dialects: { readonly [Name in Dialect]?: FieldSpelling }
}

/** The names of a field in one dialect, and whether the field is required. */
export interface FieldSpelling {
  /**
   * The name of the field in camelCase. Default: the key of the field's description. The snake_case
   * form of the name is also accepted.
   */
  readonly name?: string
  /** Other accepted names of the field. */
  readonly aliases?: readonly string[]
  /**
   * Wrong names that users may write for the field. They are not accepted, but the message suggests
   * the right name.
   */
  readonly synonyms?: readonly string[]
  /** The diagnostic for a missing field. Absent: the field is optional. */
  readonly missing?: MissingField
}

export interface MissingField {
  readonly code: DiagnosticCode
  /** The reason why the field is required. It is the end of the message `"..." is missing: `. */
  readonly because?: string
  readonly fix: string
  /** Name of another field that can be set instead of this field. */
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
   * Dialects in which a field that only related object types have is an error. In other dialects,
   * it is a warning.
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

/**
 * The types of the values of all described fields. A field that the config does not set is
 * included, with its default or null.
 */
export type FieldValues<Fields extends FieldDescriptions, Values> = {
  readonly [Name in keyof Fields]: FieldValue<Fields[Name], Values>
}

/** Returns the default of a field in Markdown. */
export const defaultOf = ({ default: value, defaultText }: FieldDescription): string =>
  defaultText ?? (value === undefined ? "none" : `\`${JSON.stringify(value)}\``)
