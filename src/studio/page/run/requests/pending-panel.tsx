import { useState } from "preact/hooks"
import type { PendingRequest } from "../../../api.js"
import { describeRequest } from "../../../../serving/display/describe-request.js"
import { argumentsText, editedArguments } from "./edited-arguments.js"
import { RequestDetails } from "./request-details.js"
import { parseJson } from "../../client/parse-json.js"
import { ErrorMessage } from "../../parts/error-message.js"
import "./pending-panel.css"

interface PendingPanelProps {
  readonly pending: readonly PendingRequest[]
  /**
   * Sends an answer to a pending request. Resolves to null if the server accepts the answer,
   * otherwise to an error message for the user.
   */
  readonly onAnswer: Answer
}

type Answer = (message: object) => Promise<string | null>

/** Component that lists the pending requests of a run. Each request has a form that answers it. */
export function PendingPanel({ pending, onAnswer }: PendingPanelProps) {
  return (
    <section class="card pending" aria-label="Waiting for you">
      {pending.map((request) => (
        <RequestForm key={request.id} request={request} onAnswer={onAnswer} />
      ))}
    </section>
  )
}

/** Form that answers one pending request. */
function RequestForm({
  request,
  onAnswer,
}: {
  readonly request: PendingRequest
  readonly onAnswer: Answer
}) {
  const { id, kind, toolCalls = [], choices } = request
  const description = describeRequest(request)
  const [text, setText] = useState("")
  /**
   * The edited arguments of proposed tool calls as JSON text, by call id. Unchanged calls have no
   * entry.
   */
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<string | null>(null)

  // The form stays open if the server rejects the answer, so that it can be corrected.
  const send = async (message: object): Promise<void> => setError(await onAnswer(message))
  const answer = (): void => {
    if (kind === "input") return void send({ type: "say", content: text, request: id })
    if (kind === "auth") return void send({ type: "answer", id, value: { secret: text } })
    if (kind === "tool") {
      const parsed = parseJson(text, "The result")
      return parsed.ok
        ? void send({ type: "deliver", callId: id, result: parsed.value })
        : setError(parsed.message)
    }
    // Valid JSON is sent as JSON, any other input as text.
    const parsed = parseJson(text, "")
    return void send({
      type: "answer",
      id,
      value: parsed.ok && parsed.value !== null ? parsed.value : text,
    })
  }
  const approve = (): void => {
    const edited = editedArguments(toolCalls, edits)
    if (!edited.ok) return setError(edited.message)
    return void send({
      type: "approve",
      id,
      ...(edited.args !== null && { args: edited.args }),
    })
  }
  return (
    <form
      class="card request"
      aria-label={`${request.agent} ${description}`}
      onSubmit={(event) => (event.preventDefault(), kind === "approval" ? approve() : answer())}
    >
      <p>
        <strong>{request.agent}</strong> {description}
        {request.expiresAt !== undefined && (
          <small> until {new Date(request.expiresAt).toLocaleString()}</small>
        )}
      </p>
      <RequestDetails request={request} />
      {toolCalls.map((call) => {
        const args = edits[call.id] ?? argumentsText(call)
        return (
          <label key={call.id}>
            Arguments of {call.name}
            {toolCalls.filter(({ name }) => name === call.name).length > 1 && ` (${call.id})`}
            {kind === "approval" && <small> You can correct them before you approve.</small>}
            <textarea
              rows={Math.min(12, Math.max(3, args.split("\n").length))}
              spellcheck={false}
              aria-invalid={error !== null}
              value={args}
              readOnly={kind !== "approval"}
              onInput={({ currentTarget }) =>
                setEdits({ ...edits, [call.id]: currentTarget.value })
              }
            />
          </label>
        )
      })}
      {kind === "approval" ? (
        <div class="bar">
          <button type="submit" class="main">
            Approve
          </button>
          <input
            aria-label="Reason, if you reject"
            placeholder="Reason, if you reject"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button
            type="button"
            onClick={() => void send({ type: "reject", id, ...(text !== "" && { reason: text }) })}
          >
            Reject
          </button>
        </div>
      ) : choices !== undefined ? (
        <div class="bar" role="group" aria-label="Your answer">
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              onClick={() => void send({ type: "answer", id, value: choice })}
            >
              {String(choice)}
            </button>
          ))}
        </div>
      ) : (
        <div class="bar">
          <textarea
            rows={2}
            aria-label="Your answer"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button type="submit" class="main">
            Send
          </button>
        </div>
      )}
      <ErrorMessage text={error} />
    </form>
  )
}
