import type { Hooks } from "../../machines/contract/agent-definition.js"

/** The fields that every resolved agent node has. */
export interface AnyAgentNode {
  readonly id: string
  readonly description: string | null
  /** JSON pointer to the agent in the config. */
  readonly pointer: string
}

/**
 * Names of config fields that are not copied to the resolved node, because only the parser needs
 * them or because the node has them in another form.
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
 * The config fields that a resolved node contains unchanged. `Replaced` are further fields to omit.
 */
export type CopiedFields<Config, Replaced extends string = never> = Omit<
  Config,
  ParserField | Replaced
>
