import { failedCall, replaceCall, settleCall, withChanges } from "./call-progress.js"
import type { HookListOutput } from "../host-functions/hook-list.js"
import { isJsonObject } from "../data/json-object.js"
import type { LlmAgentContext, OpenCall } from "../model-call/llm-agent-context.js"
import { restartCall } from "./start-call.js"
import { applyActions } from "./tool-actions.js"
import type { Step } from "../contract/machine-kind.js"

type Context = LlmAgentContext

/**
 * Continues a tool call after its policy engines or callbacks have run. For example, their output
 * can deny the call, change its arguments, or replace its result.
 */
export function applyHooks(
  context: Context,
  index: number,
  asked: OpenCall,
  output: HookListOutput,
  step: Step,
): void {
  const changed = withChanges(asked, output.changed)
  context.at = output.at
  if (changed.stage === "policy") {
    judge(context, index, changed, output, step)
    return
  }
  if (output.error !== null) {
    // A callback that throws fails the run, so the model receives no result.
    context.callbackError = output.error
    replaceCall(context, index, changed)
    return
  }
  const call = applyActions(context, changed, output)
  if (typeof call === "string") {
    settleCall(context, index, { ...changed, stage: "afterTool" }, failedCall(call), step)
    return
  }
  const answer = isJsonObject(output.answer) ? output.answer : null
  if (call.stage === "beforeTool") {
    if (answer !== null) settleCall(context, index, call, { response: answer, error: null }, step)
    else
      restartCall(
        context,
        index,
        { ...call, haveHooksRun: true, args: isJsonObject(output.args) ? output.args : call.args },
        step,
      )
    return
  }
  const result = call.result ?? failedCall("the call has no result")
  settleCall(
    context,
    index,
    call,
    answer === null ? result : { response: answer, error: null },
    step,
  )
}

/**
 * Applies the decision of a policy engine to a tool call (docs/semantics.md#policies). `ALLOW` runs
 * the call, `DENY` returns an error to the model, and `CONFIRM` asks a person. An engine that
 * throws or returns another value, such as a misspelled `DENY`, denies the call. If no engine
 * returns a decision, the call is allowed.
 */
function judge(
  context: Context,
  index: number,
  call: OpenCall,
  { answer, error }: HookListOutput,
  step: Step,
): void {
  const { outcome, reason } =
    error === null ? decisionOf(answer) : { outcome: "DENY", reason: error.message }
  if (outcome === "DENY")
    settleCall(
      context,
      index,
      { ...call, stage: "afterTool" },
      {
        ...failedCall(reason === null ? "the call is denied" : `the call is denied: ${reason}`),
        isDenied: true,
      },
      step,
    )
  else
    restartCall(
      context,
      index,
      {
        ...call,
        isJudged: true,
        objection: outcome === "CONFIRM" ? (reason ?? "it needs approval") : null,
      },
      step,
    )
}

interface Decision {
  readonly outcome: "ALLOW" | "DENY" | "CONFIRM"
  readonly reason: string | null
}

function decisionOf(answer: unknown): Decision {
  if (answer === null) return { outcome: "ALLOW", reason: null }
  const { outcome, reason } = isJsonObject(answer) ? answer : {}
  if (outcome !== "ALLOW" && outcome !== "DENY" && outcome !== "CONFIRM") {
    return {
      outcome: "DENY",
      reason: 'the policy engine must return { outcome: "ALLOW" | "DENY" | "CONFIRM", reason? }',
    }
  }
  return { outcome, reason: typeof reason === "string" && reason !== "" ? reason : null }
}
