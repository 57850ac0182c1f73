import type { BaseNode } from "../nodes/base-node.js"
import type { BasePlugin } from "../plugins/base-plugin.js"
import { refuse } from "../common/refuse.js"

export interface AppOptions {
  readonly name: string
  readonly rootAgent: BaseNode
  readonly plugins?: readonly BasePlugin[]
  /** Accepted for compatibility. It has no effect, because every run can be resumed. */
  readonly resumabilityConfig?: { readonly isResumable?: boolean }
}

/** A root agent with an app name and plugins. Pass it to a Runner as `app`. */
export class App {
  readonly name: string
  readonly rootAgent: BaseNode
  readonly plugins: readonly BasePlugin[]
  readonly resumabilityConfig: AppOptions["resumabilityConfig"]

  constructor({ name, rootAgent, plugins = [], resumabilityConfig }: AppOptions) {
    if (typeof name !== "string" || name === "" || name === "user")
      refuse(
        `An App cannot have the name ${JSON.stringify(name)}.`,
        'Choose a name such as "travel_desk". "user" is reserved for the author of user messages.',
      )
    this.name = name
    this.rootAgent = rootAgent
    this.plugins = [...plugins]
    this.resumabilityConfig = resumabilityConfig
  }
}
