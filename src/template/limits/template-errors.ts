import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"

/**
 * The error for a text whose `{{ }}` templates cannot be parsed. `position` is the character offset
 * of the problem in the text.
 */
export class TemplateRefused extends AgentStatechartsError {
  override readonly name = "TemplateRefused"
  readonly position: number

  constructor(position: number, message: string, options?: { readonly cause?: unknown }) {
    super("template_refused", message, options)
    this.position = position
  }
}

/**
 * The error for a `{{ }}` template whose expression fails, exceeds a limit or has no value. If the
 * expression uses a secret, the message contains no values and `cause` is missing.
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
