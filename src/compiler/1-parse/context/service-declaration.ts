import type { JsonObject } from "../../../machines/data/json-object.js"

export const serviceKinds = [
  "tool",
  "toolset",
  "callback",
  "guardrail",
  "agent",
  "machine",
  "schema",
  "model",
  "node",
  "plugin",
  "router",
  "instruction",
  "policy",
] as const

/** The kind of a service that a config refers to by name, such as a tool or a schema. */
export type ServiceKind = (typeof serviceKinds)[number]

/**
 * The declaration of a service that a runner provides under a name. It contains only the data that
 * the compiler needs.
 */
export interface ServiceDeclaration {
  readonly name: string
  readonly kind: ServiceKind
  /**
   * The name that models and charts use for a tool or an agent with a dotted name. By default, this
   * is the last part of the dotted name.
   */
  readonly shownAs?: string
  /** The description of a tool or an agent. */
  readonly description?: string
  readonly parameters?: JsonObject
  readonly requireConfirmation?: boolean
  /** The JSON Schema of a service of the kind `schema`. It is copied into the chart. */
  readonly jsonSchema?: JsonObject
  /** The routes that a service of the kind `router` can choose. */
  readonly routes?: readonly string[]
  /**
   * The callbacks of a service of the kind `plugin`. They have the form of an entry of `plugins` in
   * a config.
   */
  readonly plugin?: JsonObject
}
