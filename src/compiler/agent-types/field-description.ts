import type { DiagnosticCode } from "../diagnostics/diagnostic.js"
import type { Dialect } from "./dialects.js"
import type { ValueType } from "./value-types.js"

/**
 * The description of one config field, from which parsing, the JSON Schema and the documentation
 * are derived. The key of the description is the name of the field in the compiler and in charts.
 */
export interface FieldDescription {
  /** The type of the field's values. With `choice`, the value must be one of `choices`. */
  readonly type: ValueType | "choice"
  /** The allowed values of a field with the type `choice`. The default comes first. */
  readonly choices?: readonly string[]
  /** The value of the field if the config does not set it. Without a default, the value is null. */
  readonly default?: boolean | number | string
  /**
   * Markdown text for the default in the documentation. If this text is missing, the documentation
   * contains the value of `default`, or "none" if there is no default.
   */
  readonly defaultText?: string
  /** Explains the field in Markdown. The text is printed in docs/config.md. */
  readonly description: string
  /** True if the field only exists in this project and not in Graph Compose. */
  readonly extension?: true
  /** The dialects that have the field, with the names of the field in each dialect. */
  readonly dialects: { readonly [Name in Dialect]?: FieldSpelling }
}

/**
 * The names of a config field in one dialect, and the diagnostic for a missing field if the field
 * is required.
 */
export interface FieldSpelling {
  /**
   * The name of the field in camelCase. By default, the key of the field's description. The
   * snake_case form of the name is also accepted.
   */
  readonly name?: string
  /** Other accepted names of the field, in camelCase. */
  readonly aliases?: readonly string[]
  /**
   * Wrong names that users may write for the field. They are not accepted, but the message suggests
   * the correct name.
   */
  readonly synonyms?: readonly string[]
  /** The diagnostic to report if the field is missing. Undefined if the field is optional. */
  readonly missing?: MissingField
}

export interface MissingField {
  readonly code: DiagnosticCode
  /** The reason why the field is required, as the end of the message `"..." is missing: `. */
  readonly because?: string
  readonly fix: string
  /** Name of another field. If it is set, this field is not required. */
  readonly unless?: string
}

export type FieldDescriptions = Readonly<Record<string, FieldDescription>>

/**
 * The description of one kind of config object, such as an agent type, a tool type or a group of
 * settings.
 */
export interface ObjectDescription<Fields extends FieldDescriptions = FieldDescriptions> {
  /** Name of the object in diagnostics, with its article, such as `a LoopAgent`. */
  readonly name: string
  readonly fields: Fields
  /**
   * Dialects in which a field of another object type, such as a LoopAgent's `maxIterations` in an
   * LlmAgent, is an error. In other dialects, it is a warning.
   */
  readonly strictIn?: readonly Dialect[]
}

/**
 * The TypeScript type of a parsed field. It includes null if the field has no default. `Values`
 * maps value types to TypeScript types.
 */
export type FieldValue<Field extends FieldDescription, Values> =
  | (Field extends { readonly type: "choice"; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Field["type"] extends keyof Values
        ? Values[Field["type"]]
        : never)
  | (Field extends { readonly default: boolean | number | string } ? never : null)

/**
 * The TypeScript types of an object's parsed fields, by the keys of the field descriptions. The
 * value of a field that is not in the config is its default or null.
 */
export type FieldValues<Fields extends FieldDescriptions, Values> = {
  readonly [Name in keyof Fields]: FieldValue<Fields[Name], Values>
}

/** Returns the default of a config field as Markdown for the documentation. */
export const defaultOf = ({ default: value, defaultText }: FieldDescription): string =>
  defaultText ?? (value === undefined ? "none" : `\`${JSON.stringify(value)}\``)
