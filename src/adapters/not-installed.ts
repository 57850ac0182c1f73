import { AgentStatechartsError } from "../errors.js"

/**
 * Returns a handler for a failed import of an optional package, which throws `package_missing` with
 * the install command.
 */
export const notInstalled =
  (name: string, version: string, entry: string, note = "") =>
  (cause: unknown): never => {
    const { code, message } =
      cause instanceof Error
        ? (cause as { readonly code?: unknown; readonly message: string })
        : { message: "" }
    // The package may be installed but one of its dependencies missing.
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(`'${name}'`)) throw cause
    throw new AgentStatechartsError(
      "package_missing",
      `"agent-statecharts/${entry}" needs "${name}", which is not installed. Install it: npm install ${name}@${version}${note}`,
      { cause },
    )
  }
