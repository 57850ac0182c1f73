import "./start-form.css"
import { useEffect, useState } from "preact/hooks"
import type { AgentOverrides, FileWithText, StartRequest } from "../../api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { parseJsonObject } from "../client/parse-json.js"
import { OverrideForm } from "./override-form.js"
import { isFormSchema, SchemaForm } from "./schema-form.js"
import type { TextCheck } from "./use-check.js"
import { ErrorMessage } from "../parts/error-message.js"

interface StartFormProps {
  readonly file: FileWithText
  readonly text: string
  readonly check: TextCheck
  readonly isScripted: boolean
  readonly onScripted: (isScripted: boolean) => void
  readonly isModuleAllowed: boolean
  /**
   * Called when the user allows or forbids the studio to import the module with host functions in
   * the file's folder.
   */
  readonly onModule: (isAllowed: boolean) => void
}

/** Form that starts a run of the text in the editor. */
export function StartForm({
  file,
  text,
  check: { compiled, isCurrent },
  isScripted,
  onScripted,
  isModuleAllowed,
  onModule,
}: StartFormProps) {
  const [prompt, setPrompt] = useState<string | null>(null)
  const [state, setState] = useState("")
  const [error, setError] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const [overrides, setOverrides] = useState<AgentOverrides>({})
  const firstMessage = prompt ?? compiled?.prompt ?? ""
  const schema = compiled?.inputSchema ?? null
  const missing = compiled?.missing ?? []
  const { scenario, module } = file

  useEffect(() => setError(null), [text])

  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    const parsed = parseJsonObject(state, "The state")
    if (!parsed.ok) return setError(parsed.message)
    setStarting(true)
    try {
      const body: StartRequest = {
        file: file.path,
        text,
        scripted: isScripted,
        ...(firstMessage !== "" && { prompt: firstMessage }),
        ...(parsed.value !== null && { state: parsed.value }),
        ...(Object.keys(overrides).length > 0 && { overrides }),
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

  const cannotStart = compiled === null || compiled.svg === null || missing.length > 0
  return (
    <form class="start" aria-label="Start a run" onSubmit={(event) => void start(event)}>
      {schema !== null && isFormSchema(schema) ? (
        <SchemaForm schema={schema} text={firstMessage} onChange={setPrompt} />
      ) : (
        <label>
          First message{schema !== null && ", as JSON"}
          <textarea
            rows={2}
            value={firstMessage}
            onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        </label>
      )}
      <details>
        <summary>Initial state</summary>
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
      </details>
      {compiled !== null && file.root === null && (
        <OverrideForm agents={compiled.agents} overrides={overrides} onChange={setOverrides} />
      )}
      {isScripted && scenario !== null && Object.keys(overrides).length > 0 && (
        <p role="note" class="calm">
          {scenario} contains the responses of this run. They do not depend on these changes.
        </p>
      )}
      {file.root !== null && (
        <p class="calm">
          This file is a part of{" "}
          <a href={`#/file/${encodeURIComponent(file.root.path)}`}>{file.root.name}</a>. A run
          starts the whole workflow.
        </p>
      )}
      {missing.length > 0 && <Missing missing={missing} file={file} isScripted={isScripted} />}
      <div class="start-bar">
        <div class="sources">
          {scenario !== null && (
            <label class="check">
              <input
                type="checkbox"
                checked={isScripted}
                onChange={({ currentTarget }) => onScripted(currentTarget.checked)}
              />
              Use the responses of {scenario}
            </label>
          )}
          {module !== null && (
            <label class="check" title="The module is code. It runs with your permissions.">
              <input
                type="checkbox"
                checked={isModuleAllowed}
                onChange={({ currentTarget }) => onModule(currentTarget.checked)}
              />
              Use {module.name} (runs its code)
            </label>
          )}
          {scenario === null && module === null && (
            <p class="calm">The run calls the services in the config.</p>
          )}
        </div>
        <button type="submit" class="main" disabled={cannotStart || isStarting || !isCurrent}>
          Run
        </button>
      </div>
      <ErrorMessage text={error} />
    </form>
  )
}

/**
 * Component that lists the services that a run needs but the studio does not have, and explains how
 * the user can provide them.
 */
function Missing({
  missing,
  file: { scenario, module },
  isScripted,
}: {
  readonly missing: readonly string[]
  readonly file: FileWithText
  readonly isScripted: boolean
}) {
  const fixes = [
    ...(module !== null && !module.isAllowed ? [`select “Use ${module.name}”`] : []),
    ...(scenario !== null && !isScripted ? [`select “Use the responses of ${scenario}”`] : []),
  ]
  const last = "start the studio with --services or --openai"
  return (
    <div class="missing" role="status">
      <p>The run needs services that are missing:</p>
      <ul>
        {missing.map((service) => (
          <li key={service}>{service}</li>
        ))}
      </ul>
      <p>To provide them, {[...fixes, last].join(", or ")}.</p>
    </div>
  )
}
