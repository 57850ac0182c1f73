import type { Hooks } from "../../machines/contract/agent-definition.js"

/** The fields that every resolved agent or graph node has. */
export interface AnyAgentNode {
  readonly id: string
  readonly description: string | null
  /** JSON pointer to the agent in the config. */
  readonly pointer: string
}

/**
 * Names of config fields that are not copied to the resolved agent. They are only needed by the
 * parser, or the resolved agent has them in another form.
 */
export type ParserField =
  | "location"
  | "fieldAt"
  | "dialect"
  | "agentClass"
  | "when"
  | "id"
  | "description"
  | "subAgents"
  | keyof Hooks

/**
 * The config fields that are copied to the resolved agent without changes. `Replaced` contains the
 * names of additional fields to omit.
 */
export type CopiedFields<Config, Replaced extends string = never> = Omit<
  Config,
  ParserField | Replaced
>
