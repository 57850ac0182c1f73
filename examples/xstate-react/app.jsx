import { useMachine, useSelector } from "@xstate/react"
import { useEffect, useState } from "react"
import { createActivityStore } from "./activity-store.ts"
import { tripDesk } from "./trip-desk.ts"

const key = "trip-desk"

/** Returns the snapshot that the page stored before it was closed, or undefined. */
function storedSnapshot() {
  const stored = sessionStorage.getItem(key)
  return stored === null ? undefined : JSON.parse(stored)
}

export function App() {
  const [snapshot, send, desk] = useMachine(tripDesk, { snapshot: storedSnapshot() })
  const [activity] = useState(createActivityStore)
  const { lines, modelCalls } = useSelector(activity, ({ context }) => context)
  const { agents } = snapshot.children
  const { question, booking } = snapshot.context

  // The snapshot of the parent contains the run of the agents.
  useEffect(() => {
    const { unsubscribe } = desk.subscribe(() =>
      sessionStorage.setItem(key, JSON.stringify(desk.getPersistedSnapshot())),
    )
    return unsubscribe
  }, [desk])

  useEffect(() => {
    if (agents === undefined) return
    const { unsubscribe } = agents.on("*", (event) => {
      if (event.type !== "message.refused") activity.send({ type: "emitted", event })
    })
    return unsubscribe
  }, [agents, activity])

  const plan = (event) => {
    event.preventDefault()
    send({ type: "plan", wish: new FormData(event.currentTarget).get("wish") })
  }

  return (
    <>
      <h1>Trip desk</h1>
      <form onSubmit={plan}>
        <input name="wish" aria-label="Wish" placeholder="A weekend by train" />
        <button disabled={agents !== undefined}>Plan</button>
        <button
          type="button"
          disabled={agents === undefined}
          onClick={() => send({ type: "stop" })}
        >
          Stop
        </button>
      </form>
      {agents !== undefined && <Progress agents={agents} />}
      {question !== null && (
        <section className="request" aria-label="Question">
          <p>{question.prompt}</p>
          <button type="button" onClick={() => send({ type: "answer", verdict: "yes" })}>
            Yes
          </button>{" "}
          <button type="button" onClick={() => send({ type: "answer", verdict: "no" })}>
            No
          </button>
        </section>
      )}
      <p>
        Result: <output>{booking}</output>
      </p>
      <h2>{modelCalls} model calls</h2>
      <ul aria-label="Activity">
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </>
  )
}

/** Shows the agent that is active. The ids of the agents are the state values of the chart. */
function Progress({ agents }) {
  const step = useSelector(agents, (snapshot) =>
    snapshot.matches("trip.planner")
      ? "planning"
      : snapshot.matches({ trip: "traveler" })
        ? "waiting for you"
        : "booking",
  )
  return <p aria-label="Step">{step}</p>
}
