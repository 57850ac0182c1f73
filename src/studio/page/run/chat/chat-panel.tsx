import { useEffect, useRef, useState } from "preact/hooks"
import type { PendingRequest } from "../../../api.js"
import { lazy } from "../../parts/lazy.js"
import type { ChatEntry } from "../folds/chat-log.js"
import type { StreamedText } from "../follow/use-run.js"
import { ErrorMessage } from "../../parts/error-message.js"
import "./chat-panel.css"

const Markdown = lazy(async () => (await import("../../markdown/markdown.js")).Markdown)

interface ChatPanelProps {
  readonly messages: readonly ChatEntry[]
  /** Number of events that the run had emitted up to the selected position. */
  readonly seen: number
  /** The texts of model responses that are being streamed. */
  readonly streaming: readonly StreamedText[]
  /**
   * The pending request that the next message of the user answers. Null if no agent waits for a
   * message.
   */
  readonly request: PendingRequest | null
  /**
   * Sends an answer to a pending request. Resolves to null if the server accepts the answer,
   * otherwise to an error message for the user.
   */
  readonly onAnswer: (message: object) => Promise<string | null>
}

/** Number of latest messages that are shown until the user clicks to show earlier messages. */
const firstShown = 100

/**
 * Component that shows the conversation between the user and a run, with an input for the next
 * message.
 */
export function ChatPanel({ messages, seen, streaming, request, onAnswer }: ChatPanelProps) {
  const [shown, setShown] = useState(firstShown)
  const end = useRef<HTMLDivElement>(null)
  const pastMessages = messages.filter(({ seq }) => seq < seen)
  const last = pastMessages.slice(-shown)
  const streamed = streaming.reduce((length, { text }) => length + text.length, 0)
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" })
  }, [pastMessages.length, streamed])
  return (
    <div class="chat">
      <div class="chat-messages" tabIndex={0} role="log" aria-label="Conversation">
        {pastMessages.length > last.length && (
          <button type="button" onClick={() => setShown(shown * 4)}>
            {pastMessages.length - last.length} earlier messages
          </button>
        )}
        {last.map(({ seq, from, agent, text }) => (
          <div key={`${seq} ${from}`} class={`chat-message from-${from}`}>
            {from === "agent" && <small>{agent}</small>}
            {from === "agent" ? (
              <Markdown text={text} />
            ) : (
              <p>
                {from === "note" && `${agent} `}
                {text}
              </p>
            )}
          </div>
        ))}
        {streaming.map(({ call, agent, text }) => (
          <div key={call} class="chat-message from-agent is-streaming">
            <small>{agent}</small>
            <p>{text}</p>
          </div>
        ))}
        <div ref={end} />
      </div>
      {request === null ? (
        <p class="calm">No agent waits for a message.</p>
      ) : (
        <MessageForm key={request.id} request={request} onAnswer={onAnswer} />
      )}
    </div>
  )
}

function MessageForm({
  request,
  onAnswer,
}: {
  readonly request: PendingRequest
  readonly onAnswer: ChatPanelProps["onAnswer"]
}) {
  const [text, setText] = useState("")
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    setError(await onAnswer({ type: "say", content: text, request: request.id }))
  }
  return (
    <form class="chat-form" aria-label={`Message to ${request.agent}`} onSubmit={send}>
      <div class="bar">
        <textarea
          ref={field}
          rows={2}
          aria-label={`Message to ${request.agent}`}
          placeholder={`Message to ${request.agent}`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            // Shift and Enter insert a line.
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void send(event)
          }}
        />
        <button type="submit" class="main">
          Send
        </button>
      </div>
      <ErrorMessage text={error} />
    </form>
  )
}
