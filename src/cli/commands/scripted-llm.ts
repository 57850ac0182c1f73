import type { Command } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { portNumber } from "../options/port-number.js"
import { readJson } from "../files/read-source.js"
import { untilInterrupted } from "../terminal/until-interrupted.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeJson, safeName } from "../terminal/untrusted-text.js"

const manual = `
A scenario is {"llm": {"agent": [{"content": "..."}]}, "tools": {"tool": [{...}]}}: responses in order, by agent and tool. The
last segment of the URL that names an agent or a tool selects the list of responses: http://127.0.0.1:4010/writer.

Examples:
  agent-statecharts scripted-llm scenario.json
  agent-statecharts scripted-llm scenario.json --port 4010`

export function addScriptedLlm(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  program
    .command("scripted-llm")
    .description("serve the scripted responses of a scenario over HTTP, until Ctrl-C")
    .argument("<scenario>", 'a scenario (JSON); "-" is stdin')
    .option("--port <n>", "port to listen on; 0 selects a free port", portNumber, 0)
    .option(
      "--host <address>",
      "address to listen on; other machines can connect unless it is a loopback address",
      "127.0.0.1",
    )
    .addHelpText("after", manual)
    .action(async (file: string, options: { readonly port: number; readonly host: string }) =>
      exit(await serve(file, options, terminal)),
    )
}

async function serve(
  file: string,
  { port, host }: { readonly port: number; readonly host: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const { print, paint } = terminal
  const { addressError } = await import("../../adapters/listen.js")
  const { readScenario, startScriptedService } = await import("../../adapters/scripted/index.js")
  const scenario = readScenario(await readJson(file, "scenario"), file)
  const service = await startScriptedService(scenario, {
    port,
    host,
    log: (line) => print(oneLine(line)),
  }).catch((error: Error) => {
    throw addressError(error, host, port)
  })
  const stopped = untilInterrupted(terminal)
  print(
    `${paint.bold(service.url)} responds for ${[...scenario.llm.keys(), ...scenario.tools.keys()].map(safeName).join(", ") || "no agent and no tool"}. Press Ctrl-C to stop.`,
  )
  await stopped
  await service.close()
  const unused = service.unused()
  print(
    unused.length === 0
      ? "\nAll responses were used."
      : `\nUnused responses: ${unused.map(({ kind, id, index }) => `${kind === "llm" ? "agent" : "tool"} ${safeJson(id)} response ${index + 1}`).join(", ")}.`,
  )
  return exitCodes.ok
}
