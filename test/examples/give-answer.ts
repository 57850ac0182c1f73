import type { Answer } from "./example-folder.js"

interface Controls {
  pending(): readonly { readonly id: string }[]
  approve(id: string, edits?: { readonly args: Readonly<Record<string, unknown>> }): unknown
  reject(id: string, reason?: string): unknown
  answer(id: string, value: unknown): unknown
  say(text: string): unknown
}

/** Applies an answer to the oldest pending request. */
export function give(answer: Answer, run: Controls): void {
  const id = run.pending()[0]?.id ?? "none is open"
  if ("approve" in answer)
    run.approve(id, answer.args === undefined ? undefined : { args: answer.args })
  else if ("reject" in answer) run.reject(id, answer.reason)
  else if ("answer" in answer) run.answer(id, answer.answer)
  else run.say(answer.user)
}
