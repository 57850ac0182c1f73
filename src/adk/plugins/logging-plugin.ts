import type { Content, Part } from "../events/content.js"
import type { Event } from "../events/event.js"
import { isFinalResponse } from "../events/event.js"
import type { RunInvocation } from "./base-plugin.js"
import { BasePlugin } from "./base-plugin.js"

/**
 * A plugin that prints one line for each user message, for each event, and for the start and the
 * end of an invocation.
 *
 * @example
 * const runner = new InMemoryRunner({ agent: rootAgent, plugins: [new LoggingPlugin()] })
 */
export class LoggingPlugin extends BasePlugin {
  readonly #print: (line: string) => void

  /** @param print Prints a line. Default: `console.info`. */
  constructor(name = "logging_plugin", print: (line: string) => void = console.info) {
    super(name)
    this.#print = print
  }

  override async onUserMessageCallback({
    invocationContext: { appName, userId, sessionId },
    userMessage,
  }: {
    readonly invocationContext: RunInvocation
    readonly userMessage: Content
  }): Promise<undefined> {
    this.#log(
      `message of user "${userId}" in session "${sessionId}" of app "${appName}": ${contentText(userMessage)}`,
    )
  }

  override async beforeRunCallback({
    invocationContext: { sessionId },
  }: {
    readonly invocationContext: RunInvocation
  }): Promise<undefined> {
    this.#log(`invocation starts in session "${sessionId}"`)
  }

  override async onEventCallback({ event }: { readonly event: Event }): Promise<undefined> {
    this.#log(`event ${event.id} of "${event.author}": ${eventText(event)}`)
  }

  override async afterRunCallback({
    invocationContext: { sessionId },
  }: {
    readonly invocationContext: RunInvocation
  }): Promise<void> {
    this.#log(`invocation ends in session "${sessionId}"`)
  }

  #log(line: string): void {
    this.#print(`[${this.name}] ${line}`)
  }
}

function eventText(event: Event): string {
  const { content, output, route, errorCode, errorMessage, actions, usageMetadata } = event
  const keys = Object.keys(actions.stateDelta)
  return [
    ...(errorCode === undefined ? [] : [`error ${errorCode}: ${errorMessage ?? ""}`]),
    ...(content === undefined ? [] : [contentText(content)]),
    ...(output === undefined ? [] : [`output ${shortened(JSON.stringify(output))}`]),
    ...(route === undefined ? [] : [`route ${JSON.stringify(route)}`]),
    ...(keys.length === 0 ? [] : [`writes ${keys.join(", ")}`]),
    ...(actions.escalate === true ? ["escalates"] : []),
    ...(actions.transferToAgent === undefined ? [] : [`transfers to ${actions.transferToAgent}`]),
    ...(usageMetadata === undefined
      ? []
      : [
          `tokens ${usageMetadata.promptTokenCount ?? 0} in, ${usageMetadata.candidatesTokenCount ?? 0} out`,
        ]),
    ...(content !== undefined && isFinalResponse(event) ? ["final response"] : []),
  ].join("; ")
}

const contentText = ({ parts = [] }: Content): string =>
  parts.length === 0 ? "no content" : parts.map(partText).join(", ")

function partText({ text, functionCall, functionResponse, inlineData, fileData }: Part): string {
  if (text !== undefined) return JSON.stringify(shortened(text.trim()))
  if (functionCall !== undefined)
    return `call of ${functionCall.name} with ${shortened(JSON.stringify(functionCall.args ?? {}))}`
  if (functionResponse !== undefined)
    return `result of ${functionResponse.name}: ${shortened(JSON.stringify(functionResponse.response ?? {}))}`
  return `file of type ${inlineData?.mimeType ?? fileData?.mimeType ?? "unknown"}`
}

const maxLength = 200

const shortened = (text: string): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}...` : text
