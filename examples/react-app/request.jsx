/** Shows a pending request and sends the answer of the user. */
export function Request({ request, actions, attempt }) {
  const { id, kind, agent, prompt, toolCalls = [], choices, shown = {} } = request
  const sendText = (event) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get("text")
    const call = toolCalls[0]
    if (kind === "input") void attempt(actions.say(text, { request: id }))
    else if (kind === "tool") void attempt(actions.deliver(call.id, text))
    else if (kind === "auth") void attempt(actions.answer(id, { secret: text }))
    else void attempt(actions.answer(id, text))
  }
  return (
    <section className="request" aria-label={`Request of ${agent}`}>
      <p className="prompt">
        <strong>{agent}</strong> {prompt ?? "waits for an answer"}
      </p>
      {Object.entries(shown).map(([key, value]) => (
        <pre key={key}>
          {key}: {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
        </pre>
      ))}
      {toolCalls.map((call) => (
        <pre key={call.id}>
          {call.name} {JSON.stringify(call.args, null, 2)}
        </pre>
      ))}
      {kind === "approval" ? (
        <p>
          <button type="button" onClick={() => void attempt(actions.approve(id))}>
            Approve
          </button>{" "}
          <button type="button" onClick={() => void attempt(actions.reject(id))}>
            Reject
          </button>
        </p>
      ) : choices !== undefined ? (
        <p>
          {choices.map((choice) => (
            <button
              key={String(choice)}
              type="button"
              onClick={() => void attempt(actions.answer(id, choice))}
            >
              {String(choice)}
            </button>
          ))}
        </p>
      ) : (
        <form onSubmit={sendText}>
          <input
            name="text"
            required
            aria-label={kind === "auth" ? "Name of the secret" : "Answer"}
          />
          <button>Send</button>
        </form>
      )}
    </section>
  )
}
