import type { Command } from "commander"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { ExitCode } from "../../terminal/exit-codes.js"
import { parseJson } from "../../files/read-source.js"
import type { AnswerEntry } from "../../answers/answer-script.js"
import type { RunOptions } from "../../options/run-options.js"
import { withRunOptions } from "../../options/run-options.js"
import type { Terminal } from "../../terminal/terminal.js"
import { UsageProblem } from "../../errors/usage-problem.js"

interface AnswerOptions extends RunOptions {
  readonly request?: string
  readonly args?: string
  readonly reason?: string
}

interface Verb {
  readonly name: string
  readonly description: string
  /** Command-line arguments after the run id, each with its description in the help text. */
  readonly arguments?: readonly (readonly [form: string, description: string])[]
  readonly options?: readonly (readonly [form: string, description: string])[]
  /**
   * Creates the answer to send from the arguments and options of the command line. Returns null to
   * cancel the run.
   */
  readonly answer: (values: readonly string[], options: AnswerOptions) => AnswerEntry | null
}

const request = [
  "--request <id>",
  "id of the request (default: the oldest pending request of the kind)",
] as const

const id = (options: AnswerOptions): { readonly id?: string } =>
  options.request === undefined ? {} : { id: options.request }

const verbs: readonly Verb[] = [
  {
    name: "approve",
    description: "approve proposed tool calls and resume the run",
    options: [
      request,
      [
        "--args <json>",
        "replacement arguments of the proposed call; for several calls, an object by call id",
      ],
    ],
    answer: (_, options) => ({
      approve: true,
      ...(options.args !== undefined && { args: objectFrom(options.args, "--args") }),
      ...id(options),
    }),
  },
  {
    name: "reject",
    description: "reject proposed tool calls and resume the run",
    options: [request, ["--reason <text>", "reason that the agent receives"]],
    answer: (_, options) => ({
      reject: true,
      ...(options.reason !== undefined && { reason: options.reason }),
      ...id(options),
    }),
  },
  {
    name: "say",
    description: "send a user message to an agent that waits for one, and resume the run",
    arguments: [["<text>", "text of the message"]],
    options: [request],
    answer: ([user = ""], options) => ({ user, ...id(options) }),
  },
  {
    name: "answer",
    description: "answer a HumanAgent or a request for a secret, and resume the run",
    arguments: [["<value>", "text; objects and lists are parsed as JSON"]],
    options: [request],
    answer: ([value = ""], options) => ({
      answer: /^\s*[[{]/.test(value) ? parseJson(value, "the answer") : value,
      ...id(options),
    }),
  },
  {
    name: "deliver",
    description: "deliver the result of a long-running tool call, and resume the run",
    arguments: [
      ["<call>", "id of the call"],
      ["<result>", "result of the call, as JSON"],
    ],
    answer: ([deliver = "", result = ""]) => ({ deliver, result: parseJson(result, "the result") }),
  },
  {
    name: "end",
    description: "end the conversation and complete the run",
    answer: () => ({ end: true }),
  },
  {
    name: "cancel",
    description: "cancel a run; finished work is kept, and calls in flight are not repeated",
    answer: () => null,
  },
]

/**
 * Adds the `runs` subcommands that answer a stored run, such as `runs approve`. Each subcommand
 * resumes the run, sends the answer, and executes the run until it is idle or finished.
 */
export function addAnswerCommands(
  runs: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  for (const { name, description, arguments: more = [], options: own = [], answer } of verbs) {
    const command = withRunOptions(runs.command(name))
      .description(description)
      .argument("<run>", "id of the run, or its first characters")
    for (const [form, about] of more) command.argument(form, about)
    for (const [form, about] of own) command.option(form, about)
    command
      .option("--allow-processes", "allow MCP servers that run as local processes (stdio)")
      .action(async (...args: readonly unknown[]) => {
        // commander passes the arguments, then the options, then the command.
        const options = args.at(-2) as AnswerOptions
        const [run = "", ...values] = args.slice(0, -2) as readonly string[]
        const firstAnswer = answer(values, options)
        const { resumeRun } = await import("../../run/resume-run.js")
        exit(
          await resumeRun(
            run,
            options,
            firstAnswer === null
              ? { askUser: false, cancel: true }
              : { firstAnswer, askUser: false },
            terminal,
          ),
        )
      })
  }
}

function objectFrom(text: string, what: string): Record<string, unknown> {
  const value = parseJson(text, what)
  if (!isJsonObject(value))
    throw new UsageProblem(`${what} must be a JSON object such as {"amount":5}.`)
  return { ...value }
}
