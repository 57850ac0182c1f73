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

/** The kind of a service to which a name in a config refers, such as a tool or a schema. */
export type ServiceKind = (typeof serviceKinds)[number]

/**
 * The declaration of a service that a runner provides by name. It contains only what the compiler
 * needs.
 */
export interface ServiceDeclaration {
  readonly name: string
  readonly kind: ServiceKind
  /**
   * For a tool or an agent with a dotted name: the name that models and charts use. Default: the
   * last part of the dotted name.
   */
  readonly shownAs?: string
  /** Description of a tool or an agent. */
  readonly description?: string
  readonly parameters?: JsonObject
  readonly requireConfirmation?: boolean
  /** For a schema: the JSON Schema, which is copied into the chart. */
  readonly jsonSchema?: JsonObject
  /** For a router: the routes that it can return. */
  readonly routes?: readonly string[]
  /** For a plugin: its callbacks, in the form of an entry of `plugins` in a config. */
  readonly plugin?: JsonObject
}
