import { useEffect, useState } from "preact/hooks"
import type { Checked, StartRequest } from "../../api.js"
import { ask, messageOf } from "../client/ask-server.js"
import { readObject } from "../client/read-json.js"

interface StartFormProps {
  readonly file: string
  readonly text: string
  readonly checked: Checked | null
  readonly scripted: boolean
}

/** Starts a run of the text as it stands in the editor. */
export function StartForm({ file, text, checked, scripted }: StartFormProps) {
  const [prompt, setPrompt] = useState<string | null>(null)
  const [state, setState] = useState("")
  const [isScripted, setScripted] = useState(scripted)
  const [error, setError] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const given = prompt ?? checked?.prompt ?? ""

  useEffect(() => setError(null), [text])

  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    const read = readObject(state, "The state")
    if (!read.ok) return setError(read.message)
    setStarting(true)
    try {
      const body: StartRequest = {
        file,
        text,
        scripted: isScripted,
        ...(given === "" ? {} : { prompt: given }),
        ...(read.value === null ? {} : { state: read.value }),
      }
      const { runId } = await ask<{ readonly runId: string }>("/runs", { method: "POST", body })
      location.hash = `#/run/${encodeURIComponent(runId)}`
    } catch (cause) {
      setError(messageOf(cause))
      setStarting(false)
    }
  }

  const hasErrors = checked === null || checked.svg === null
  return (
    <form class="start" aria-label="Start a run" onSubmit={(event) => void start(event)}>
      <label>
        First message
        <textarea
          rows={2}
          value={given}
          onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
        />
      </label>
      <details>
        <summary>Initial state and services</summary>
        <label>
          State, a JSON object
          <textarea
            rows={3}
            value={state}
            placeholder='{"city": "Tokyo"}'
            spellcheck={false}
            onInput={({ currentTarget }) => setState(currentTarget.value)}
          />
        </label>
        {checked !== null && checked.needs.length > 0 && (
          <p class="calm">Needs: {checked.needs.join(", ")}</p>
        )}
      </details>
      <div class="bar">
        <label class="check">
          <input
            type="checkbox"
            checked={isScripted}
            disabled={!scripted}
            onChange={({ currentTarget }) => setScripted(currentTarget.checked)}
          />
          {scripted ? "Answers from scenario.json" : "No scenario.json beside it"}
        </label>
        <button type="submit" class="main" disabled={hasErrors || isStarting}>
          Run
        </button>
      </div>
      {error !== null && (
        <p role="alert" class="trouble">
          {error}
        </p>
      )}
    </form>
  )
}
