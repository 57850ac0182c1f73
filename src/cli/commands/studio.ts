import type { Command } from "commander"
import { requirePath } from "../files/missing-path.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { withHostOptions } from "../options/host-options.js"
import { portNumber } from "../options/port-number.js"
import { untilInterrupted } from "../terminal/until-interrupted.js"
import { openJournal } from "../run/open-journal.js"
import { withJournal } from "../options/run-options.js"
import type { ServingOptions } from "../options/serving-options.js"
import { withServingOptions } from "../options/serving-options.js"
import type { Terminal } from "../terminal/terminal.js"

interface StudioCommandOptions extends ServingOptions {
  readonly port: number
  readonly host: string
}

const manual = `
The studio is a page in your browser. It edits a workflow, marks its problems, draws its chart and runs it. It shows active states, events,
the session state, conversations and pending requests. A slider shows the run at any record, and you can fork it there. The page loads
nothing from the internet. Its address contains a token; everyone who has the token can run the workflows. The port and the token are stored
next to the journal, so that open tabs and links work after a restart.

If the folder of a workflow contains a scenario.json, a run can use its responses instead of models and tools.

Examples:
  agent-statecharts studio
  agent-statecharts studio workflow.json
  agent-statecharts studio team/ --openai http://127.0.0.1:11434/v1`

export function addStudio(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServingOptions(
    withHostOptions(withJournal(program.command("studio")))
      .description("edit workflows, run them and answer their requests in the browser")
      .argument("[path]", "workflow file or folder with workflows", ".")
      .option("--port <n>", "port to listen on; 0 selects a free port", portNumber, 0)
      .option(
        "--host <address>",
        "address to listen on; other machines can connect unless it is a loopback address",
        "127.0.0.1",
      ),
  )
    .addHelpText("after", manual)
    .action(async (path: string, options: StudioCommandOptions) =>
      exit(await serveStudio(path, options, terminal)),
    )
}

async function serveStudio(
  path: string,
  options: StudioCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  requirePath(path)
  const { openStudio } = await import("../studio/open-studio.js")
  const store = await openJournal(options, terminal)
  const { host, port, ...services } = options
  const { journal, sessions, memory, responseCache, location, filePrefix } = store
  const addressFile = `${filePrefix}.studio.json`
  const studio = await openStudio(
    { path, host, port, journal, sessions, memory, responseCache, location, addressFile },
    services,
    terminal,
  )
  // Handle Ctrl-C before the output that mentions it.
  const stopped = untilInterrupted(terminal)
  terminal.print(`${terminal.paint.bold("Studio")} ${studio.url}`)
  terminal.print(
    terminal.paint.dim(
      `Runs are stored in ${store.location}. Press Ctrl-C to stop the studio. Open runs can be resumed later.`,
    ),
  )
  await stopped
  await studio.close()
  await store.close()
  return exitCodes.ok
}
