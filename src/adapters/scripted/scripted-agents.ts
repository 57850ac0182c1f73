import { isJsonObject } from "../../machines/data/json-object.js"
import type { Message, ModelService } from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { RemoteAgentService, RemoteTask } from "../../machines/workflow-agent/remote-task.js"
import type { ChildProgress, WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import { textOfContent } from "../../machines/contract/user-content.js"

/**
 * Creates a service that replaces remote agents with scripted responses. Each message to an agent
 * receives the next response of the agent's list in `llm` of the scenario. Its `content` is the
 * agent's text, or a question if `waitForUserInput` is set. `posting` is a model service whose HTTP
 * requests go to the scripted service, as in the example.
 *
 * @example
 * const http = createHttpServices({ dispatcher: service.dispatcher() })
 * createRunner({ http: { ...http, agent: scriptedAgents(http.model) } })
 */
export const scriptedAgents = (posting: ModelService): RemoteAgentService => ({
  open: () => new ScriptedTask(posting),
})

class ScriptedTask implements RemoteTask {
  readonly #posting: ModelService
  readonly #controller = new AbortController()
  readonly #messages: Message[] = []
  /** The response to the last message. null if no message was sent. */
  #response: Promise<unknown> | null = null

  constructor(posting: ModelService) {
    this.#posting = posting
  }

  async deliver(request: WorkflowRequest): Promise<readonly string[]> {
    for (const answer of request.answers ?? []) {
      const { type: _, id: __, at: ___, ...fields } = answer
      const answerText =
        "value" in fields && typeof fields.value === "string" ? fields.value : fields
      this.#send(request, typeof answerText === "string" ? answerText : JSON.stringify(answerText))
    }
    return []
  }

  async progress(request: WorkflowRequest): Promise<ChildProgress | null> {
    if (this.#response === null) this.#send(request, textOfContent(request.prompt ?? ""))
    const response = await this.#response
    if (this.#controller.signal.aborted) return null
    const fields = isJsonObject(response) ? response : {}
    const content = typeof fields["content"] === "string" ? fields["content"] : null
    if (fields["waitForUserInput"] !== true) return ended(content, response)
    const { agent, path, branch } = request
    const id = `question-${this.#messages.length}`
    if (request.watches === true && request.seen.includes(id)) return this.#untilStopped()
    return {
      status: "waiting",
      pending: [{ id, kind: "human", agent, path, branch, prompt: content, details: null }],
    }
  }

  async cancel(): Promise<void> {
    this.close()
  }

  close(): void {
    this.#controller.abort()
  }

  #untilStopped(): Promise<null> {
    const { signal } = this.#controller
    return new Promise((resolve) => {
      if (signal.aborted) resolve(null)
      else signal.addEventListener("abort", () => resolve(null), { once: true })
    })
  }

  #send(request: WorkflowRequest, text: string): void {
    const { agent, path, branch, runId, idempotencyKey, attempt, remote } = request
    this.#messages.push({ role: "user", content: text })
    const sent = this.#posting.call(
      {
        agent,
        path,
        branch,
        runId,
        attempt,
        idempotencyKey: `${idempotencyKey}/${this.#messages.length}`,
        model: null,
        endpoint: { url: `http://llm.test/${agent}`, method: "POST" },
        messages: [...this.#messages],
        tools: [],
        state: remote?.state ?? {},
        context: remote?.context ?? {},
      },
      { signal: this.#controller.signal },
    )
    this.#response = sent.catch((error: unknown) => {
      if (this.#controller.signal.aborted) return null
      throw error instanceof CallFailedError && error.failure.code === "model_call_failed"
        ? new CallFailedError({ ...error.failure, code: "remote_call_failed" })
        : error
    })
    // The error is reported by `progress`.
    this.#response.catch(() => {})
  }
}

function ended(text: string | null, response: unknown): ChildProgress {
  const data = isJsonObject(response) ? (response["data"] ?? null) : null
  const artifacts = text === null ? [] : [{ artifactId: "result", parts: [{ text }] }]
  return {
    status: "completed",
    text,
    state: {},
    error: null,
    remote: { task: null, contextId: null, data, artifacts },
  }
}
