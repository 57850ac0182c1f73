import type { Content } from "../events/content.js"
import type { Event } from "../events/event.js"
import type { BasePlugin, RunInvocation } from "../plugins/base-plugin.js"

/**
 * Calls the callbacks of plugins around an invocation. After the first plugin that returns a value,
 * no other plugin is called.
 */
export class RunPlugins {
  readonly #plugins: readonly BasePlugin[]

  constructor(plugins: readonly BasePlugin[]) {
    this.#plugins = plugins
  }

  /** Returns the replacement that a plugin returns for the user message, or the message itself. */
  async userMessage(invocationContext: RunInvocation): Promise<Content> {
    const userMessage = invocationContext.userContent
    for (const plugin of this.#plugins) {
      const replaced = await plugin.onUserMessageCallback({ invocationContext, userMessage })
      if (replaced !== undefined) return replaced
    }
    return userMessage
  }

  /**
   * Returns the content with which a plugin replaces the whole invocation; undefined if none does.
   */
  async beforeRun(invocationContext: RunInvocation): Promise<Content | undefined> {
    for (const plugin of this.#plugins) {
      const content = await plugin.beforeRunCallback({ invocationContext })
      if (content !== undefined) return content
    }
    return undefined
  }

  /**
   * Returns the replacement that a plugin returns for an event, or the event itself. A replacement
   * keeps the id, the invocation id and the timestamp of the original event.
   */
  async event(invocationContext: RunInvocation, event: Event): Promise<Event> {
    const { id, invocationId, timestamp } = event
    for (const plugin of this.#plugins) {
      const replaced = await plugin.onEventCallback({ invocationContext, event })
      if (replaced !== undefined) return { ...replaced, id, invocationId, timestamp }
    }
    return event
  }

  async afterRun(invocationContext: RunInvocation): Promise<void> {
    for (const plugin of this.#plugins) await plugin.afterRunCallback({ invocationContext })
  }
}
