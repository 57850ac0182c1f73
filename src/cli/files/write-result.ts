import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Terminal } from "../terminal/terminal.js"
import { errorCode } from "../errors/error-code.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** Writes the output of a command to `file`. If `file` is undefined or `-`, prints it to stdout. */
export async function writeResult(
  text: string,
  file: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (file === undefined || file === "-") terminal.document(text)
  else await writeTo(file, text)
}

/** Writes a file and creates its missing parent folders. Throws a usage error if this fails. */
export async function writeTo(file: string, text: string | Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new UsageProblem(
      `${file} cannot be written (${errorCode(error)}). Check the path and its permissions.`,
    )
  }
}
