import type { JsonObject } from "../../../machines/data/json-object.js"

export const serviceKinds = [
  "tool",
  "toolset",
  "callback",
  "agent",
  "schema",
  "model",
  "node",
  "plugin",
  "router",
  "instruction",
  "policy",
] as const

/** What a name in a config may stand for. */
export type ServiceKind = (typeof serviceKinds)[number]

/** Something that a runner knows by name, as far as the compiler has to know it. */
export interface ServiceDeclaration {
  readonly name: string
  readonly kind: ServiceKind
  /** Of a tool or an agent by a dotted name: what models and charts call it, instead of the last part of its name. */
  readonly shownAs?: string
  /** Of a tool. */
  readonly description?: string
  readonly parameters?: JsonObject
  readonly requireConfirmation?: boolean
  /** Of a schema: it is put into the chart. */
  readonly jsonSchema?: JsonObject
  /** Of a router: what it may answer. */
  readonly routes?: readonly string[]
  /** Of a plugin: what it consists of, as an entry of `plugins` in a config says it. */
  readonly plugin?: JsonObject
}
