import "./start-form.css"
import { useEffect, useState } from "preact/hooks"
import type { CompiledText, StartRequest } from "../../api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { parseJsonObject } from "../client/parse-json.js"

interface StartFormProps {
  readonly file: string
  readonly text: string
  readonly compiled: CompiledText | null
  readonly scripted: boolean
}

/** A form that starts a run of the text in the editor. */
export function StartForm({ file, text, compiled, scripted }: StartFormProps) {
  const [prompt, setPrompt] = useState<string | null>(null)
  const [state, setState] = useState("")
  const [isScripted, setScripted] = useState(scripted)
  const [error, setError] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const firstMessage = prompt ?? compiled?.prompt ?? ""

  useEffect(() => setError(null), [text])

  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    const parsed = parseJsonObject(state, "The state")
    if (!parsed.ok) return setError(parsed.message)
    setStarting(true)
    try {
      const body: StartRequest = {
        file,
        text,
        scripted: isScripted,
        ...(firstMessage === "" ? {} : { prompt: firstMessage }),
        ...(parsed.value === null ? {} : { state: parsed.value }),
      }
      const { runId } = await fetchJson<{ readonly runId: string }>("/runs", {
        method: "POST",
        body,
      })
      location.hash = `#/run/${encodeURIComponent(runId)}`
    } catch (cause) {
      setError(messageOf(cause))
      setStarting(false)
    }
  }

  const hasErrors = compiled === null || compiled.svg === null
  return (
    <form class="start" aria-label="Start a run" onSubmit={(event) => void start(event)}>
      <label>
        First message
        <textarea
          rows={2}
          value={firstMessage}
          onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
        />
      </label>
      <details>
        <summary>Initial state and services</summary>
        <label>
          State, as a JSON object
          <textarea
            rows={3}
            value={state}
            placeholder='{"city": "Tokyo"}'
            spellcheck={false}
            onInput={({ currentTarget }) => setState(currentTarget.value)}
          />
        </label>
        {compiled !== null && compiled.needs.length > 0 && (
          <p class="calm">Required services: {compiled.needs.join(", ")}</p>
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
          {scripted ? "Use the responses of scenario.json" : "No scenario.json in this folder"}
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
