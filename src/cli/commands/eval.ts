import type { Command } from "commander"
import { Option } from "commander"
import { repeatableOption } from "../options/repeatable-option.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { type FromJournalOptions, fromJournalOptions } from "../eval/from-journal-options.js"
import type { EvalOptions } from "../eval/eval-options.js"
import { withHostOptions } from "../options/host-options.js"
import { openaiOption, secretsOption } from "../options/service-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import type { Terminal } from "../terminal/terminal.js"
import { wholeNumberBetween } from "../options/whole-number.js"

const manual = `
An eval set is a JSON file of Google ADK. In a folder, all files named *.test.json and *.evalset.json are read. The criteria are in
test_config.json next to the eval set. See docs/evaluation.md for the criteria.

Exit codes:
  0 at least one case passed and none failed, or none regressed, 1 a case failed or regressed, 2 invalid files or usage, or nothing was evaluated, 130 interrupted

Examples:
  agent-statecharts eval agent.yaml evals/
  agent-statecharts eval agent.yaml orders.evalset.json --scripted scenario.json
  agent-statecharts eval agent.yaml orders.evalset.json:refund,cancel --details
  agent-statecharts eval agent.yaml evals/ --repeat 5 --junit eval.xml --markdown eval.md
  agent-statecharts eval agent.yaml evals/ --resume eval.jsonl
  agent-statecharts eval agent.yaml evals/ --with edited.yaml --markdown eval.md
  agent-statecharts eval agent.yaml evals/ --baseline main.json
  agent-statecharts eval agent.yaml --from-journal runs.sqlite -o recorded.evalset.json --redact-keys card.number`

export function addEval(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withHostOptions(withServices(withWorkflowOptions(program.command("eval"))))
    .description("run the cases of eval sets and score them")
    .argument("<agent>", "a workflow config, a folder with a root_agent.yaml, or a compiled chart")
    .argument("[evalset...]", "eval sets: files, folders, or FILE:case1,case2")
    .addOption(repeatableOption("--case <id>", "evaluate only this case").default([], "none"))
    .option("--config <file>", "file with the criteria (default: test_config.json next to the set)")
    .option("--repeat <n>", "number of runs of each case", wholeNumberBetween(1, 999_999), 1)
    .option("--concurrency <n>", "maximum number of active runs", wholeNumberBetween(1, 999_999), 4)
    .option("--judge <model>", "model of all judges (default: judge_model of each criterion)")
    .option("--no-judge", "do not evaluate criteria with a judge")
    .option("--strict", "fail a case if a criterion has no score")
    .option(
      "--scripted <file>",
      "scenario file with scripted responses; `cases` in it has a scenario for each case",
    )
    .addOption(openaiOption("named"))
    .addOption(secretsOption())
    .option("--prices <file>", "JSON file with the price of a million tokens of each model")
    .option("--record <folder>", "record the calls of each run to a cassette in this folder")
    .option("--cassette <folder>", "answer all calls from the cassettes in this folder")
    .option("--journal <location>", "store all runs: a folder or a file.sqlite")
    .option("--resume <file>", "store finished cases in this file, and skip those that it contains")
    .option("--with <file>", "compare with this workflow, which reuses the answers of <agent>")
    .option("--compare", "compare with the workflow in the second argument, like --with")
    .option("--scripted-with <file>", "scenario file for the calls of the second workflow")
    .option("--baseline <file>", "compare with an earlier report, which --json has written")
    .option(
      "--from-journal [location]",
      "write an eval set from recorded runs (default: .agent-statecharts/runs)",
    )
    .option("-o, --output <file>", "with --from-journal: the file to write; - prints it")
    .option("--run <id...>", "with --from-journal: only these runs")
    .addOption(
      new Option(
        "--status <status...>",
        "with --from-journal: only runs with one of these statuses (default: completed)",
      ).choices(["completed", "failed", "limit", "waiting", "cancelled", "running"]),
    )
    .option("--name <id>", "with --from-journal: id of the eval set (default: the workflow)")
    .addOption(
      repeatableOption("--redact <value>", "with --from-journal: replace this value in all texts"),
    )
    .option(
      "--redact-keys <keys>",
      "with --from-journal: replace the values of these fields, such as token,card.number",
    )
    .option("--details", "also show the differences of passed criteria")
    .option("--json [file]", "write a JSON report to this file, or to stdout")
    .option("--junit <file>", "write a JUnit report to this file")
    .option("--markdown <file>", "write a report for a pull request to this file")
    .addHelpText("after", manual)
    .action(
      async (
        agent: string,
        paths: readonly string[],
        options: EvalOptions & FromJournalOptions,
      ) => {
        const command = await commandOf(agent, paths, withoutDefaultJudge(options))
        exit(await command(terminal))
      },
    )
}

/**
 * Returns a function that executes the form of the `eval` command that the options select, for
 * example a comparison of two workflows.
 */
async function commandOf(
  agent: string,
  paths: readonly string[],
  options: EvalOptions & FromJournalOptions,
): Promise<(terminal: Terminal) => Promise<ExitCode>> {
  const forms = [
    options.fromJournal === undefined ? null : "--from-journal",
    options.with === undefined ? null : "--with",
    options.compare === true ? "--compare" : null,
    options.baseline === undefined ? null : "--baseline",
  ].filter((name) => name !== null)
  if (forms.length > 1)
    throw new UsageProblem(`${forms.join(" and ")} cannot be combined. Remove one of them.`)
  if (options.fromJournal !== undefined) {
    const { fromJournalCommand } = await import("../eval/from-journal-command.js")
    return (terminal) => fromJournalCommand(agent, paths, options, terminal)
  }
  const onlyFromJournal = fromJournalOptions.find((name) => options[name] !== undefined)
  if (onlyFromJournal !== undefined)
    throw new UsageProblem(
      `--${onlyFromJournal.replace("K", "-k")} is only accepted with --from-journal.`,
    )
  const [second, ...sets] = paths
  const edited = options.compare === true ? second : options.with
  if (options.compare === true && edited === undefined)
    throw new UsageProblem("--compare needs two workflows: eval --compare A B EVALSET")
  if (edited === undefined) {
    if (options.scriptedWith !== undefined)
      throw new UsageProblem("--scripted-with is only accepted with --with or --compare.")
    const { evaluateCommand } = await import("../eval/evaluate-command.js")
    return (terminal) => evaluateCommand(agent, paths, options, terminal)
  }
  const { compareCommand } = await import("../eval/compare-command.js")
  return (terminal) =>
    compareCommand(agent, edited, options.compare === true ? sets : paths, options, terminal)
}

/**
 * Removes the option `judge` if it is true, so that each criterion uses its own judge model. Users
 * can pass only a model name or `--no-judge` (false). The option parser may set true as the default
 * of options with a `--no-` form.
 */
function withoutDefaultJudge<Options extends EvalOptions>(
  options: Options & { readonly judge?: unknown },
): Omit<Options, "judge"> & Pick<EvalOptions, "judge"> {
  const { judge, ...others } = options
  return typeof judge === "string" || judge === false ? { ...others, judge } : others
}
