import type { JudgedEvent } from "./judged-event.js"
import type { ToolArguments } from "../../machines/contract/services.js"
import { isJsonObject } from "../../machines/data/json-object.js"

/** A tool call in an approval request. A person decides whether the call is made. */
interface RequestedCall {
  readonly id: string
  readonly name: string
  readonly args: ToolArguments
}

type ToolCalled = Pick<
  Extract<JudgedEvent, { type: "tool.called" }>,
  "path" | "callId" | "tool" | "arguments"
>

/**
 * Stores the tool calls that a person has approved (docs/policies.md#approval). An approval is
 * valid for one call in the same model response, and only with exactly the approved arguments.
 */
export class CallApprovals {
  readonly #requested = new Map<string, readonly RequestedCall[]>()
  /** The approved calls of the current model response, by agent path and then by call id. */
  readonly #approved = new Map<string, Map<string, RequestedCall>>()

  /**
   * Returns the names of the tools that an approval request contains. `requestId` identifies the
   * request.
   */
  toolsOf(requestId: string): readonly string[] {
    return (this.#requested.get(requestId) ?? []).map(({ name }) => name)
  }

  isApproved(call: ToolCalled): boolean {
    if (this.#approved.size === 0) return false
    const approved = this.#approved.get(call.path)?.get(call.callId)
    return approved !== undefined && isSameCall(approved, call)
  }

  /** Updates the stored requests and approvals of tool calls after an event of the run. */
  follow(event: JudgedEvent): void {
    switch (event.type) {
      case "human.asked":
      case "user.awaited":
        if (event.request.kind === "approval")
          this.#requested.set(event.request.id, event.request.toolCalls ?? [])
        break
      case "request.expired":
        this.#requested.delete(event.id)
        break
      case "human.answered":
        if (event.answer["approved"] === true)
          this.#approve(event.path, this.#requested.get(event.id) ?? [], event.answer["args"])
        this.#requested.delete(event.id)
        break
      case "tool.called":
        if (event.attempt === 1 && this.#approved.size > 0)
          this.#approved.get(event.path)?.delete(event.callId)
        break
      case "model.responded":
      case "agent.finished":
        if (this.#approved.size > 0) this.#approved.delete(event.path)
        break
      default:
    }
  }

  #approve(path: string, asked: readonly RequestedCall[], edited: unknown): void {
    const calls = this.#approved.get(path) ?? new Map<string, RequestedCall>()
    for (const call of asked) {
      // If only one call was requested, the edited arguments are for this call. Otherwise, they are
      // listed by call id.
      const args = asked.length === 1 || !isJsonObject(edited) ? edited : edited[call.id]
      calls.set(call.id, isJsonObject(args) ? { ...call, args } : call)
    }
    this.#approved.set(path, calls)
  }
}

const isSameCall = ({ name, args }: RequestedCall, call: ToolCalled): boolean =>
  name === call.tool && JSON.stringify(args) === JSON.stringify(call.arguments)
