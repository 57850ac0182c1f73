import { createClient } from "agent-statecharts/client"
import { RunChart, useRemoteRun } from "agent-statecharts/react"
import { useEffect, useState } from "react"
import { Messages } from "./messages.jsx"
import { Request } from "./request.jsx"

// Vite forwards the requests to the server of the agents. See vite.config.mjs.
const client = createClient({ url: location.origin })

/** Starts runs, and shows the chart, the messages and the pending requests of the latest run. */
export function App() {
  const [workflows, setWorkflows] = useState([])
  const [run, setRun] = useState(null)
  const [error, setError] = useState(null)
  const { status, events, pending, actions, failure } = useRemoteRun(run)
  const attempt = (action) =>
    action.then(
      () => setError(null),
      (cause) => setError(cause.message),
    )

  useEffect(() => void attempt(client.workflows().then(setWorkflows)), [])

  const start = (event) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const workflow = form.get("workflow")
    const prompt = form.get("prompt").trim()
    void attempt(client.start({ workflow, ...(prompt === "" ? {} : { prompt }) }).then(setRun))
  }

  return (
    <>
      <h1>Agents</h1>
      <form onSubmit={start}>
        <select name="workflow" aria-label="Workflow">
          {workflows.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
        <input name="prompt" aria-label="Message" placeholder="The message of the workflow" />
        <button>Start</button>
        {(status === "running" || status === "waiting") && (
          <button type="button" onClick={() => void attempt(actions.cancel())}>
            Cancel
          </button>
        )}
      </form>
      {(error ?? failure) !== null && <p role="alert">{error ?? failure.message}</p>}
      {run !== null && (
        <>
          <p>
            Status: <output>{status}</output>
          </p>
          <RunChart run={run} events={events} />
          {pending.map((request) => (
            <Request key={request.id} request={request} actions={actions} attempt={attempt} />
          ))}
          <Messages events={events} />
        </>
      )}
    </>
  )
}
