/** Shows the texts of the user and of the agents, oldest first. */
export function Messages({ events }) {
  return (
    <section aria-label="Messages">
      {events.flatMap((event) => {
        const message = messageOf(event)
        if (message === null) return []
        return (
          <p key={event.seq} className="message">
            <strong>{message.author}:</strong> {message.text}
          </p>
        )
      })}
    </section>
  )
}

function messageOf(event) {
  switch (event.type) {
    case "model.responded":
      return event.answer.content ? { author: event.agent, text: event.answer.content } : null
    case "user.said":
      return typeof event.content === "string" ? { author: "You", text: event.content } : null
    case "run.finished":
      return event.result.error === null
        ? null
        : { author: "Error", text: event.result.error.message }
    default:
      return null
  }
}
