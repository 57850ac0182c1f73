import type { ModelRequest } from "../../../api.js"
import { Disclosure } from "../../parts/disclosure.js"
import { ValueView } from "../../parts/value-view.js"

import "./model-messages.css"

type Message = ModelRequest["messages"][number]

/** Number of latest messages that are shown until the user clicks to show earlier messages. */
const maxMessages = 20

/** Component that shows the messages of an agent's conversation with its model. */
export function ModelMessages({ messages }: { readonly messages: readonly Message[] }) {
  const last = messages.slice(-maxMessages)
  return (
    <>
      {messages.length > last.length && (
        <Disclosure summary={`${messages.length - last.length} earlier messages`}>
          {() =>
            messages
              .slice(0, -maxMessages)
              .map((message, index) => <MessageView key={index} message={message} />)
          }
        </Disclosure>
      )}
      {last.map((message, index) => (
        <MessageView key={index} message={message} />
      ))}
    </>
  )
}

function MessageView({ message: { role, content } }: { readonly message: Message }) {
  const parts: readonly unknown[] = typeof content === "string" ? [content] : content
  return (
    <div class={`message of-${role}`}>
      <small>{role}</small>
      {parts.map((part, index) => (
        <PartView key={index} part={part} />
      ))}
    </div>
  )
}

/** Component that shows one part of a message, for example a text, a tool call or a tool result. */
function PartView({ part }: { readonly part: unknown }) {
  if (typeof part === "object" && part !== null) {
    if ("text" in part) return <ValueView value={part.text} />
    if ("function_call" in part) return <NamedPart value={part.function_call} field="args" />
    if ("function_response" in part)
      return <NamedPart value={part.function_response} field="response" />
  }
  return <ValueView value={part} />
}

/**
 * Component that shows a tool call or a tool result with the name of the tool. `field` is the field
 * with the content, `args` or `response`.
 */
function NamedPart({ value, field }: { readonly value: unknown; readonly field: string }) {
  if (typeof value !== "object" || value === null) return <ValueView value={value} />
  const { name, [field]: content } = value as Readonly<Record<string, unknown>>
  return (
    <div class="proposed">
      <strong>{String(name)}</strong>
      <ValueView value={content} />
    </div>
  )
}
