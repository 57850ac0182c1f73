import type { Content } from "../events/content.js"
import type { Event } from "../events/event.js"
import type { BasePlugin, RunInvocation } from "../plugins/base-plugin.js"

/**
 * Calls the callbacks of plugins for one invocation. As soon as a callback returns a value, the
 * remaining plugins are not called.
 */
export class RunPlugins {
  readonly #plugins: readonly BasePlugin[]

  constructor(plugins: readonly BasePlugin[]) {
    this.#plugins = plugins
  }

  /**
   * Returns the message with which a plugin replaces the user message. If no plugin replaces it,
   * returns the original message.
   */
  async userMessage(invocationContext: RunInvocation): Promise<Content> {
    const userMessage = invocationContext.userContent
    for (const plugin of this.#plugins) {
      const replaced = await plugin.onUserMessageCallback({ invocationContext, userMessage })
      if (replaced !== undefined) return replaced
    }
    return userMessage
  }

  /**
   * Returns the content with which a plugin replaces the whole invocation. Returns undefined if no
   * plugin replaces it.
   */
  async beforeRun(invocationContext: RunInvocation): Promise<Content | undefined> {
    for (const plugin of this.#plugins) {
      const content = await plugin.beforeRunCallback({ invocationContext })
      if (content !== undefined) return content
    }
    return undefined
  }

  /**
   * Calls the plugins in order, and returns the first event that a plugin returns as a replacement.
   * If no plugin replaces the event, returns the original event. A replacement keeps the id, the
   * invocation id and the timestamp of the original event.
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
