import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunOptions } from "../options/run-options.js"
import { shellWord } from "../terminal/untrusted-text.js"
import { repeatOptions } from "../options/run-options.js"

/** Returns the command that resumes a run with the options it was started with. */
export const resumeCommand = (runId: string, options: RunOptions): string =>
  `agent-statecharts resume ${shellWord(runId)}${repeatOptions(options)}`

/** Returns the commands that answer a pending request from another terminal. */
export function answerCommands(
  request: PendingRequest,
  open: readonly PendingRequest[],
  runId: string,
  options: RunOptions,
): readonly string[] {
  const { kind, toolCalls = [] } = request
  const alone = open.filter((other) => other.kind === kind).length === 1
  // An approval names its request, so that it cannot reach a call that is proposed later.
  const isNamed = kind === "approval" || (kind !== "tool" && !alone)
  const which = isNamed ? ` --request ${shellWord(request.id)}` : ""
  const command = (verb: string, what = ""): string =>
    `agent-statecharts runs ${verb} ${shellWord(runId)}${what}${which}${repeatOptions(options)}`
  switch (kind) {
    case "approval":
      return [command("approve"), command("reject", " --reason 'not now'")]
    case "input":
      return [command("say", " 'your message'")]
    case "human":
      return (request.choices ?? ["your answer"]).map((choice) =>
        command("answer", ` ${shellWord(String(choice))}`),
      )
    case "tool":
      return [command("deliver", ` ${shellWord(toolCalls[0]?.id ?? "CALL")} '{}'`)]
    case "auth":
      return [command("answer", ` '{"secret":"NAME"}'`)]
  }
}
