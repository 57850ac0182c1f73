import { useEffect, useRef, useState } from "preact/hooks"
import { systemKeys } from "../../../../machines/data/system-keys.js"
import type { RunWithChart, StudioSnapshot } from "../../../api.js"
import type { AgentInstruction, ForkRequest } from "../../../compare-api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { parseJsonObject } from "../../client/parse-json.js"
import { compareHash, runHash } from "../../client/run-hash.js"
import { changesOfState } from "./changes-of-state.js"
import { ErrorMessage } from "../../parts/error-message.js"
import "./fork-dialog.css"

interface ForkDialogProps {
  readonly info: RunWithChart
  /** Snapshot of the run at the position from which it is forked. */
  readonly snapshot: StudioSnapshot
  readonly onClose: () => void
}

/**
 * Dialog with a form that forks a run. Initially, the form contains the prompt, instructions and
 * state of the run.
 */
export function ForkDialog({ info, snapshot, onClose }: ForkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const instruction = useRef<HTMLTextAreaElement>(null)
  // The position is stored here, because the run may continue while the form is open.
  const [{ at, before }] = useState(() => ({
    at: snapshot.at,
    before: Object.fromEntries(
      Object.entries(snapshot.result.state).filter(([key]) => !systemKeys.has(key)),
    ),
  }))
  const [prompt, setPrompt] = useState(info.prompt ?? "")
  const [state, setState] = useState(() => JSON.stringify(before, null, 2))
  const [instructions, setInstructions] = useState<readonly AgentInstruction[]>([])
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [agent, setAgent] = useState("")
  const [compares, setCompares] = useState(true)
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const path = `/runs/${encodeURIComponent(info.runId)}`

  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.focus()
    // Moves the cursor to the start, because browsers scroll to the end of a long text.
    for (const textarea of dialog.current?.querySelectorAll("textarea") ?? []) showStart(textarea)
    fetchJson<readonly AgentInstruction[]>(`${path}/instructions`).then(
      (found) => {
        setInstructions(found)
        setAgent(nextAgent(snapshot, found))
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [path])

  const isLoaded = instructions.length > 0
  useEffect(() => {
    if (instruction.current === null) return
    showStart(instruction.current)
    // If the user is already in another field, the focus stays there.
    if (document.activeElement === dialog.current) instruction.current.focus()
  }, [isLoaded])

  const fork = async (event: Event): Promise<void> => {
    event.preventDefault()
    const parsed = parseJsonObject(state, "The state")
    if (!parsed.ok) return setError(parsed.message)
    const changed = instructions.flatMap((one) => {
      const text = texts[one.agent]
      return text === undefined || text === one.text ? [] : [[one.agent, text] as const]
    })
    const body: ForkRequest = {
      at,
      ...changesOfState(before, parsed.value ?? {}),
      ...(prompt !== (info.prompt ?? "") && { prompt }),
      ...(changed.length > 0 && { instructions: Object.fromEntries(changed) }),
    }
    setStarting(true)
    try {
      const { runId } = await fetchJson<{ readonly runId: string }>(`${path}/fork`, {
        method: "POST",
        body,
      })
      location.hash = compares ? compareHash(info.runId, runId) : runHash(runId)
    } catch (cause) {
      setError(messageOf(cause))
      setStarting(false)
    }
  }

  const shown = instructions.find((one) => one.agent === agent)
  return (
    <dialog ref={dialog} class="fork" tabIndex={-1} aria-labelledby="fork-title" onClose={onClose}>
      <form onSubmit={(event) => void fork(event)}>
        <h2 id="fork-title">
          Fork after record {at} of {snapshot.of}
        </h2>
        <p class="calm">
          The new run keeps the first {at} {at === 1 ? "record" : "records"} and makes all later
          calls again. This run does not change.
        </p>
        {at > 0 && at === snapshot.of && (
          <p role="note" class="fork-note">
            All responses so far are kept. To get another response, close this form, select the call
            in the event list and choose <strong>Fork before this call</strong>.
          </p>
        )}
        {info.scenario !== null && (
          <p role="note" class="fork-note">
            The responses of this run come from the file{" "}
            <strong>{info.scenario.split(/[\\/]/).at(-1)}</strong>. They do not depend on the
            prompt. To get other responses, change the file.
          </p>
        )}
        {shown !== undefined && (
          <fieldset>
            <legend>Prompt of an agent</legend>
            <label>
              Agent
              <select value={agent} onChange={({ currentTarget }) => setAgent(currentTarget.value)}>
                {instructions.map((one) => (
                  <option key={one.agent} value={one.agent}>
                    {one.agent}
                    {texts[one.agent] !== undefined &&
                      texts[one.agent] !== one.text &&
                      " (changed)"}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Instruction
              <textarea
                ref={instruction}
                rows={5}
                value={texts[agent] ?? shown.text}
                onInput={({ currentTarget }) =>
                  setTexts({ ...texts, [agent]: currentTarget.value })
                }
              />
            </label>
          </fieldset>
        )}
        <label>
          First message
          <textarea
            rows={2}
            value={prompt}
            disabled={at > 0}
            aria-describedby={at > 0 ? "fork-message" : undefined}
            onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        </label>
        {at > 0 && (
          <p id="fork-message" class="calm">
            The kept records answer this message. To change it, fork before the first record.
          </p>
        )}
        <label>
          State, as a JSON object
          <textarea
            class="fork-state"
            rows={8}
            spellcheck={false}
            value={state}
            onInput={({ currentTarget }) => setState(currentTarget.value)}
          />
        </label>
        <ErrorMessage text={error} />
        <footer>
          <label class="check">
            <input
              type="checkbox"
              checked={compares}
              onChange={({ currentTarget }) => setCompares(currentTarget.checked)}
            />
            Compare with this run
          </label>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={isStarting}>
            {isStarting ? "Starting…" : "Fork and run"}
          </button>
        </footer>
      </form>
    </dialog>
  )
}

/** Moves the cursor and the scroll position of a text field to its start. */
function showStart(textarea: HTMLTextAreaElement): void {
  textarea.setSelectionRange(0, 0)
  textarea.scrollTop = 0
}

/**
 * Returns the agent whose instruction the form shows first. This is the next agent that the new run
 * (the fork) will execute. If that agent has no instruction, returns the last executed agent with
 * an instruction.
 */
function nextAgent(
  { inFlight, turns }: StudioSnapshot,
  instructions: readonly AgentInstruction[],
): string {
  const candidates = [
    ...inFlight.flatMap((call) => ("agent" in call ? [call.agent] : [])),
    ...turns.filter(({ active }) => active > 0).map(({ agent }) => agent),
    ...turns.map(({ agent }) => agent).reverse(),
    ...instructions.map(({ agent }) => agent),
  ]
  return candidates.find((id) => instructions.some(({ agent }) => agent === id)) ?? ""
}
