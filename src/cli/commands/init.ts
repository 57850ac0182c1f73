import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import type { Command } from "commander"
import { Option } from "commander"
import { errorCode } from "../errors/error-code.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import type { ProjectChoices } from "../init/project-choices.js"
import { defaultChoices, dialects, providers, templates } from "../init/project-choices.js"
import { projectPaths } from "../init/project-paths.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, shellWord } from "../terminal/untrusted-text.js"

interface InitOptions extends Partial<ProjectChoices> {
  readonly yes?: true
  readonly force?: true
  readonly install: boolean
  readonly run: boolean
}

const manual = `
In a terminal, the command asks for the choices that are not set. Without a terminal, or with --yes, it uses the defaults. Existing files are
never overwritten without --force.

Examples:
  agent-statecharts init my-agents
  agent-statecharts init my-agents --dialect typescript --template research --provider openai
  agent-statecharts init . --yes --no-install`

export function addInit(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  const choice = (flags: string, what: string, field: keyof ProjectChoices): Option =>
    new Option(flags, `${what} (default: ${defaultChoices[field]})`)
  program
    .command("init")
    .description("create a project with a workflow and its test")
    .argument("[dir]", "folder of the project (default: the current folder)")
    .addOption(choice("--dialect <name>", "format of the workflow", "dialect").choices(dialects))
    .addOption(choice("--template <name>", "workflow", "template").choices(templates))
    .addOption(choice("--provider <name>", "model provider", "provider").choices(providers))
    .option("-y, --yes", "use the defaults instead of asking")
    .option("--force", "overwrite existing files")
    .option("--no-install", "do not install the dependencies")
    .option("--no-run", "do not run the workflow")
    .addHelpText("after", manual)
    .action(async (dir: string | undefined, options: InitOptions) =>
      exit(await createProject(dir, options, terminal)),
    )
}

async function createProject(
  dir: string | undefined,
  options: InitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const target = await chooseProject(dir, options, terminal.isInteractive && options.yes !== true)
  if (target === null) return exitCodes.cancelled
  const { folder, choices } = target
  const { print, printError, paint } = terminal
  const { projectFiles } = await import("../init/project-files.js")
  const { packageNameOf, writeProject } = await import("../init/write-project.js")
  const { packageSource } = await import("../init/package-source.js")
  const { thisPackage } = await import("../../adapters/package-folder.js")
  const source = packageSource(thisPackage(), folder)
  const files = await projectFiles(choices, packageNameOf(folder), source)
  await writeProject(folder, files, options.force === true)
  print(`${paint.bold("Created")} ${oneLine(folder)}`)
  for (const path of files.keys()) print(`  ${path}`)
  print("")
  if (options.install && !(await npm(["install", "--no-audit", "--no-fund"], folder, terminal))) {
    printError(
      `The files are complete, but npm install failed. Fix the problem above, then run: cd ${shellWord(folder)} && npm install`,
    )
    return exitCodes.failed
  }
  const code = options.run ? await runProject(folder, choices, terminal) : exitCodes.ok
  if (code === exitCodes.ok) printNextSteps(folder, choices, options.install, terminal)
  return code
}

async function chooseProject(
  dir: string | undefined,
  given: InitOptions,
  isAsking: boolean,
): Promise<{ readonly folder: string; readonly choices: ProjectChoices } | null> {
  const { dialect, template, provider } = given
  if (!isAsking)
    return {
      folder: dir ?? ".",
      choices: {
        dialect: dialect ?? defaultChoices.dialect,
        template: template ?? defaultChoices.template,
        provider: provider ?? defaultChoices.provider,
      },
    }
  const { askChoices, askFolder } = await import("../init/ask-choices.js")
  const folder = dir ?? (await askFolder())
  if (folder === null) return null
  const choices = await askChoices({
    ...(dialect && { dialect }),
    ...(template && { template }),
    ...(provider && { provider }),
  })
  return choices === null ? null : { folder, choices }
}

/**
 * Validates the workflow of a new project and runs it once with the responses of its
 * `scenario.json`.
 */
async function runProject(
  folder: string,
  choices: ProjectChoices,
  terminal: Terminal,
): Promise<ExitCode> {
  const { config, services, source } = projectPaths(choices)
  if (choices.dialect === "typescript") {
    if (!existsSync(join(folder, "node_modules", "typescript"))) {
      terminal.print("The workflow was not run, because TypeScript is not installed.")
      return exitCodes.ok
    }
    if (!(await npm(["run", "--silent", "build"], folder, terminal))) {
      terminal.printError(`${source} could not be built. The messages above describe the problem.`)
      return exitCodes.failed
    }
  }
  const { loadChart } = await import("../workflow/load-chart.js")
  const { playScenario } = await import("../run/play-scenario.js")
  const chart = await loadChart(join(folder, config), {}, terminal)
  if (chart === null) return exitCodes.invalid
  const answers = join(folder, "answers.json")
  return playScenario(
    oneLine(source),
    chart,
    {
      scenario: join(folder, "scenario.json"),
      services: join(folder, services),
      ...(existsSync(answers) && { answers }),
    },
    terminal,
  )
}

async function npm(
  args: readonly string[],
  folder: string,
  { printError }: Terminal,
): Promise<boolean> {
  const { runNpm } = await import("../init/run-npm.js")
  try {
    return await runNpm(args, folder)
  } catch (error) {
    printError(`npm cannot be started (${errorCode(error)}). Install npm, which is part of Node.`)
    return false
  }
}

function printNextSteps(
  folder: string,
  choices: ProjectChoices,
  isInstalled: boolean,
  { print, paint }: Terminal,
): void {
  const relativeFolder = relative(".", folder)
  const steps = [
    ...(relativeFolder === "" ? [] : [`cd ${shellWord(relativeFolder)}`]),
    ...(isInstalled ? [] : ["npm install"]),
  ]
  const first = [...steps, "npm test"].join(" && ")
  const second =
    choices.provider === "scripted" || choices.provider === "ollama"
      ? "npm start"
      : "cp .env.example .env, enter your API key, then npm start"
  print(`\n${paint.bold("Next steps")}`)
  print(`  1. Run the test:          ${first}`)
  print(`  2. Run the workflow:      ${second}`)
  print(
    `  3. Change the workflow:   edit ${projectPaths(choices).source}, then npm run check and npm run draw`,
  )
}
