import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/** A text whose `{{ }}` templates cannot be read. `position` is the offset in that text, so that a diagnostic can point at it. */
export class TemplateRefused extends AgentStatechartsError {
  override readonly name = "TemplateRefused"
  readonly position: number

  constructor(position: number, message: string, options?: { readonly cause?: unknown }) {
    super("template_refused", message, options)
    this.position = position
  }
}

/**
 * A template that could be read but not filled with the state at hand: it failed, ran into a limit, or yields nothing.
 * Where an expression uses a secret, the message says nothing about values and there is no `cause`.
 */
export class TemplateFailed extends AgentStatechartsError {
  override readonly name = "TemplateFailed"

  constructor(message: string, options?: { readonly code?: ErrorCode; readonly cause?: unknown }) {
    super(
      options?.code ?? "template_failed",
      message,
      options?.cause === undefined ? undefined : { cause: options.cause },
    )
  }
}
