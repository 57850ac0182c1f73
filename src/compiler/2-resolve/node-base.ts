import type { Hooks } from "../../machines/contract/agent-definition.js"

/** The fields of every node. */
export interface AnyAgentNode {
  readonly id: string
  readonly description: string | null
  /** JSON pointer to the agent in the config. */
  readonly pointer: string
}

/**
 * Config fields that the resolved node does not have, because only the parser needs them or because
 * the node has them in another form.
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

/** The config fields that the resolved node contains unchanged. */
export type CopiedFields<Config, Replaced extends string = never> = Omit<
  Config,
  ParserField | Replaced
>
