import { useState } from "preact/hooks"
import type { PendingRequest } from "../../api.js"
import { readJson, readObject } from "../client/read-json.js"

interface PendingPanelProps {
  readonly pending: readonly PendingRequest[]
  /** A message to the run. */
  readonly onAnswer: (message: object) => void
}

/** What the run waits for, and what answers it. */
export function PendingPanel({ pending, onAnswer }: PendingPanelProps) {
  return (
    <section class="pending" aria-label="Waiting for you">
      {pending.map((request) => (
        <Request key={request.id} request={request} onAnswer={onAnswer} />
      ))}
    </section>
  )
}

const asks: Readonly<Record<PendingRequest["kind"], string>> = {
  approval: "asks for approval",
  input: "waits for a message",
  human: "asks",
  tool: "waits for the result of a tool",
  auth: "asks for a secret",
}

function Request({
  request,
  onAnswer,
}: {
  readonly request: PendingRequest
  readonly onAnswer: (message: object) => void
}) {
  const { id, kind, toolCalls = [] } = request
  const only = toolCalls.length === 1 ? toolCalls[0] : undefined
  const proposed = only === undefined ? "" : JSON.stringify(only.args, null, 2)
  const [text, setText] = useState("")
  const [args, setArgs] = useState(proposed)
  const [error, setError] = useState<string | null>(null)

  const answer = (): void => {
    if (kind === "input") return onAnswer({ type: "say", content: text, request: id })
    if (kind === "auth") return onAnswer({ type: "answer", id, value: { secret: text } })
    if (kind === "tool") {
      const read = readJson(text, "The result")
      return read.ok
        ? onAnswer({ type: "deliver", callId: id, result: read.value })
        : setError(read.message)
    }
    // An answer that is JSON is taken as such, anything else as a text.
    const read = readJson(text, "")
    return onAnswer({
      type: "answer",
      id,
      value: read.ok && read.value !== null ? read.value : text,
    })
  }
  const approve = (): void => {
    if (args === proposed) return onAnswer({ type: "approve", id })
    const read = readObject(args, "The arguments")
    if (!read.ok) return setError(read.message)
    return onAnswer({ type: "approve", id, ...(read.value === null ? {} : { args: read.value }) })
  }
  return (
    <form
      class="request"
      aria-label={`${request.agent} ${asks[kind]}`}
      onSubmit={(event) => (event.preventDefault(), kind === "approval" ? approve() : answer())}
    >
      <p>
        <strong>{request.agent}</strong> {asks[kind]}
        {request.expiresAt !== undefined && (
          <small> until {new Date(request.expiresAt).toLocaleString()}</small>
        )}
      </p>
      {request.prompt !== null && <p class="prompt">{request.prompt}</p>}
      {toolCalls.map((call) => (
        <label key={call.id}>
          {call.name}
          {only === undefined ? (
            <pre tabIndex={0}>{JSON.stringify(call.args, null, 2)}</pre>
          ) : (
            <textarea
              rows={3}
              spellcheck={false}
              value={args}
              readOnly={kind !== "approval"}
              onInput={({ currentTarget }) => setArgs(currentTarget.value)}
            />
          )}
        </label>
      ))}
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
            onClick={() =>
              onAnswer({ type: "reject", id, ...(text === "" ? {} : { reason: text }) })
            }
          >
            Reject
          </button>
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
      {error !== null && (
        <p role="alert" class="trouble">
          {error}
        </p>
      )}
    </form>
  )
}
