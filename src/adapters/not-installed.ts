import { AgentStatechartsError } from "../errors.js"

/** For an optional package that could not be imported: who imports its adapter without it is told what to install. */
export const notInstalled =
  (name: string, version: string, entry: string, note = "") =>
  (cause: unknown): never => {
    const { code, message } =
      cause instanceof Error
        ? (cause as { readonly code?: unknown; readonly message: string })
        : { message: "" }
    // Another package may be missing inside of it.
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(`'${name}'`)) throw cause
    throw new AgentStatechartsError(
      "package_missing",
      `"agent-statecharts/${entry}" needs "${name}", which is not installed. Install it: npm install ${name}@${version}${note}`,
      { cause },
    )
  }
