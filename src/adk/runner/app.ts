import type { BaseNode } from "../nodes/base-node.js"
import type { BasePlugin } from "../plugins/base-plugin.js"
import { refuse } from "../common/refuse.js"

export interface AppOptions {
  readonly name: string
  readonly rootAgent: BaseNode
  readonly plugins?: readonly BasePlugin[]
  /**
   * Accepted for compatibility with ADK. This option has no effect, because every run can be
   * resumed.
   */
  readonly resumabilityConfig?: Partial<ResumabilityConfig>
}

/**
 * ADK's setting for whether runs can be resumed. It has no effect, because every run can be
 * resumed.
 */
export interface ResumabilityConfig {
  readonly isResumable: boolean
}

/**
 * Returns a complete `resumabilityConfig` from partial settings. As in ADK, `isResumable` is false
 * by default.
 */
export const createResumabilityConfig = (
  config: Partial<ResumabilityConfig> = {},
): ResumabilityConfig => ({ isResumable: false, ...config })

/**
 * Checks the name of an app. A name must start with a letter, followed by letters, digits,
 * underscores or hyphens. The name `user` is not allowed.
 *
 * @throws AgentStatechartsError `definition_refused` if the name is invalid.
 */
export function validateAppName(name: string): void {
  if (name === "user")
    refuse(
      'An app cannot have the name "user", because it is the author of user messages.',
      'Choose a name such as "travel_desk".',
    )
  // In JavaScript, the name can be any value.
  if (typeof name !== "string" || !/^[a-zA-Z][\w-]*$/.test(name))
    refuse(
      `An app cannot have the name ${JSON.stringify(name)}.`,
      'Start it with a letter and use only letters, digits, underscores and hyphens, as in "travel_desk".',
    )
}

/** A root agent with an app name and plugins. Pass it to a `Runner` as `app`. */
export class App {
  readonly name: string
  readonly rootAgent: BaseNode
  readonly plugins: readonly BasePlugin[]
  readonly resumabilityConfig: AppOptions["resumabilityConfig"]

  constructor({ name, rootAgent, plugins = [], resumabilityConfig }: AppOptions) {
    validateAppName(name)
    this.name = name
    this.rootAgent = rootAgent
    this.plugins = [...plugins]
    this.resumabilityConfig = resumabilityConfig
  }
}
