import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { CallAttempt, ModelRequest, RunEvent } from "../../../api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { Disclosure } from "../../parts/disclosure.js"
import { ValueView } from "../../parts/value-view.js"
import type { LoggedCall } from "../folds/run-log.js"
import { ModelMessages } from "./model-messages.js"
import { ErrorMessage } from "../../parts/error-message.js"

interface CallDetailsProps {
  readonly runId: string
  readonly call: LoggedCall
  readonly events: readonly RunEvent[]
}

/** Component that shows the request and the response of a model call or tool call. */
export function CallDetails({ runId, call, events }: CallDetailsProps) {
  const [attempts, setAttempts] = useState<readonly CallAttempt[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const { kind, path, id, end } = call
  useEffect(() => {
    const controller = new AbortController()
    fetchJson<{ readonly attempts: readonly CallAttempt[] }>(
      `/runs/${encodeURIComponent(runId)}/call`,
      { method: "POST", body: { kind, path, id }, signal: controller.signal },
    ).then(
      (loaded) => setAttempts(loaded.attempts),
      (cause: unknown) => {
        if (!controller.signal.aborted) setError(messageOf(cause))
      },
    )
    return () => controller.abort()
  }, [runId, kind, path, id, end, call.attempts])

  const request = attempts?.at(-1)?.request ?? null
  const responded = events.find((event) => event.type === "model.responded")
  const called = events.find((event) => event.type === "tool.called")
  const finished = events.find((event) => event.type === "tool.finished")
  return (
    <>
      {called !== undefined && (
        <Part title="Arguments">
          <ValueView value={called.arguments} />
        </Part>
      )}
      {finished !== undefined && call.error === null && (
        <Part title="Result">
          <ValueView value={finished.response} />
        </Part>
      )}
      {responded !== undefined && (
        <Part title="Response">
          {responded.answer.content !== null && responded.answer.content !== "" && (
            <p class="entry-text">{responded.answer.content}</p>
          )}
          {responded.answer.toolCalls.map(({ name, args }, index) => (
            <div key={index} class="proposed">
              <strong>{name}</strong>
              <ValueView value={args} />
            </div>
          ))}
        </Part>
      )}
      <ErrorMessage text={error} />
      {request !== null && "messages" in request && <ModelPrompt request={request} />}
      {attempts !== null && attempts.length > 0 && (
        <Disclosure summary="Raw request and response">
          {() =>
            attempts.map(({ attempt, request: sent, result }) => (
              <div key={attempt}>
                {attempts.length > 1 && <h4>Attempt {attempt}</h4>}
                <pre tabIndex={0} role="group" aria-label="Raw request">
                  {JSON.stringify(sent, null, 2)}
                </pre>
                <pre tabIndex={0} role="group" aria-label="Raw response">
                  {JSON.stringify(result, null, 2)}
                </pre>
              </div>
            ))
          }
        </Disclosure>
      )}
    </>
  )
}

/** Component that shows the request of a model call, with its messages, tools and parameters. */
function ModelPrompt({ request }: { readonly request: ModelRequest }) {
  const { model, messages, tools, generationConfig, outputSchema } = request
  return (
    <>
      <Part title="Prompt">
        <ModelMessages messages={messages} />
      </Part>
      {tools.length > 0 && (
        <Part title={tools.length === 1 ? "1 tool" : `${tools.length} tools`}>
          {tools.map(({ function: { name, description, parameters } }) => (
            <details key={name} class="tool-schema">
              <summary>
                <strong>{name}</strong> {description}
              </summary>
              <pre tabIndex={0}>{JSON.stringify(parameters, null, 2)}</pre>
            </details>
          ))}
        </Part>
      )}
      <Part title="Parameters">
        <ValueView
          value={{
            model: model ?? "the endpoint of the agent",
            ...generationConfig,
            ...(outputSchema !== undefined && { outputSchema }),
          }}
        />
      </Part>
    </>
  )
}

function Part({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="entry-part">
      <h4>{title}</h4>
      {children}
    </section>
  )
}
