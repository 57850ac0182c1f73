import { AgentStatechartsError } from "../errors.js"

/**
 * Returns a `catch` handler for the dynamic import of an optional npm package. If the package is
 * not installed, the handler throws `package_missing` with the install command. It throws any other
 * error unchanged.
 */
export const notInstalled =
  (name: string, version: string, entry: string, note = "") =>
  (cause: unknown): never => {
    const { code, message } =
      cause instanceof Error
        ? (cause as { readonly code?: unknown; readonly message: string })
        : { message: "" }
    // Other errors are thrown unchanged, for example if a dependency of the package is missing.
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(`'${name}'`)) throw cause
    throw new AgentStatechartsError(
      "package_missing",
      `"agent-statecharts/${entry}" needs "${name}", which is not installed. Install it: npm install ${name}@${version}${note}`,
      { cause },
    )
  }
