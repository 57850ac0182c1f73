import * as z from "zod"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { Run } from "../../runtime/index.js"
import { giveMessage } from "../../runtime/run/give-message.js"
import type { RunControls } from "../../runtime/run/run-controls.js"
import type { RunMessage } from "../../runtime/run/run-message.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { answerExamples, requestTitle } from "../format/format-request.js"

/**
 * Id of the pending request that an entry of the `--answers` file answers. Default: the oldest
 * pending request whose kind fits the answer.
 */
const id = z.string().optional()
const entry = z.union([
  z.strictObject({
    approve: z.literal(true),
    args: z.record(z.string(), z.unknown()).optional(),
    id,
  }),
  z.strictObject({ reject: z.literal(true), reason: z.string().optional(), id }),
  z.strictObject({ user: z.string(), id }),
  z.strictObject({ answer: z.unknown(), id }).refine((value) => "answer" in value),
  z.strictObject({ deliver: z.string(), result: z.unknown() }),
  z.strictObject({ end: z.literal(true) }),
  z.strictObject({ cancel: z.literal(true) }),
  z.strictObject({ expire: z.literal(true), id }),
])

/**
 * An entry of the `--answers` file. It is an answer to a pending request, a user message, or a
 * command such as `{"cancel":true}`.
 */
export type AnswerEntry = z.infer<typeof entry>

/**
 * An entry of the `--answers` file that sends something to the run. Excludes `{"expire":true}`,
 * which only waits until a request expires.
 */
export type SubmittedAnswer = Exclude<AnswerEntry, { readonly expire: true }>

const forms =
  '{"approve":true,"args":{...}}, {"reject":true,"reason":"..."}, {"user":"..."}, {"answer":...}, {"deliver":"callId","result":...}, {"end":true}, {"cancel":true} or {"expire":true}'

/**
 * Reads and validates the JSON file of the option `--answers`. Throws a usage error if an entry is
 * invalid.
 */
export async function readAnswers(file: string): Promise<readonly AnswerEntry[]> {
  const json = await readJson(file, "answers file")
  if (!Array.isArray(json))
    throw new UsageProblem(
      `the answers file ${file} must be a JSON list of answers, in the order of the requests. Valid entries are ${forms}.`,
    )
  return json.map((value: unknown, index) => {
    const read = entry.safeParse(value)
    if (!read.success)
      throw new UsageProblem(
        `answer ${index + 1} in ${file} is not valid: ${JSON.stringify(value)}. Valid answers are ${forms}.`,
      )
    return read.data
  })
}

/**
 * Sends an entry of the `--answers` file to an idle run. If the entry is `{"expire":true}`, waits
 * until a pending request has expired instead.
 */
export async function takeAnswer(answer: AnswerEntry, run: Run): Promise<void> {
  if (!("expire" in answer)) return submitAnswer(answer, run)
  const request = expiringRequest(answer, run)
  await new Promise<void>((resolve) => {
    const events = run.events$.subscribe({
      next: (event) => {
        const isExpired = event.type === "request.expired" && event.id === request.id
        if (!isExpired) return
        resolve()
        queueMicrotask(() => events.unsubscribe())
      },
      complete: resolve,
    })
  })
}

/**
 * Returns the pending request that an `{"expire":true}` entry of the `--answers` file waits for,
 * with its expiry time in milliseconds since the epoch. Throws a usage error if no pending request
 * expires.
 */
export function expiringRequest(
  answer: Exclude<AnswerEntry, SubmittedAnswer>,
  run: RunControls,
): { readonly id: string; readonly expiresAt: number } {
  const request = run
    .pending()
    .find(({ id: one, expiresAt }) =>
      answer.id === undefined ? expiresAt !== undefined : one === answer.id,
    )
  if (request?.expiresAt === undefined) throwNoMatch(answer, run)
  return { id: request.id, expiresAt: request.expiresAt }
}

/**
 * Sends an answer from the `--answers` file to an idle run. Throws a usage error if no pending
 * request fits the answer.
 */
export const submitAnswer = (answer: SubmittedAnswer, run: RunControls): void =>
  giveMessage(run, messageOf(answer, run))

/**
 * Converts an answer from the `--answers` file to the message that an idle run accepts. Throws a
 * usage error if no pending request fits the answer.
 */
export function messageOf(answer: SubmittedAnswer, run: RunControls): RunMessage {
  const pending = run.pending()
  const pick = (...kinds: readonly PendingRequest["kind"][]): string => {
    if ("id" in answer && answer.id !== undefined) return answer.id
    return (pending.find(({ kind }) => kinds.includes(kind)) ?? throwNoMatch(answer, run)).id
  }
  if ("approve" in answer)
    return {
      type: "approve",
      id: pick("approval"),
      ...(answer.args !== undefined && { args: answer.args }),
    }
  if ("reject" in answer)
    return {
      type: "reject",
      id: pick("approval"),
      ...(answer.reason !== undefined && { reason: answer.reason }),
    }
  // A conversation that is idle between two invocations accepts a message without a request.
  if ("user" in answer && pending.length === 0) return { type: "say", content: answer.user }
  if ("user" in answer) return { type: "say", content: answer.user, request: pick("input") }
  if ("deliver" in answer) return { type: "deliver", callId: answer.deliver, result: answer.result }
  if ("end" in answer) return { type: "end" }
  if ("cancel" in answer) return { type: "cancel" }
  return { type: "answer", id: pick("human", "auth", "input"), value: answer.answer }
}

/**
 * Returns whether a conversation accepts the answer while it waits for the next user message. A
 * user message starts the next turn of the conversation, and `end` and `cancel` end the run.
 */
export const acceptsMessage = (answer: AnswerEntry): boolean =>
  "user" in answer || "end" in answer || "cancel" in answer

function throwNoMatch(answer: AnswerEntry, run: RunControls): never {
  const pending = run.pending()
  const { runId, status } = run.snapshot()
  if (pending.length === 0)
    throw new UsageProblem(`run ${runId} has no pending request (${status}).`)
  const requests = pending
    .map((request) => `${requestTitle(request)} (${answerExamples(request).join(" or ")})`)
    .join("; ")
  throw new UsageProblem(
    `the answer ${JSON.stringify(answer)} does not match a pending request: ${requests}.`,
  )
}
