import { createRequire } from "node:module"
import { AgentStatechartsError } from "../../errors.js"

const require = createRequire(import.meta.url)

/**
 * Loads the optional npm package of a durable execution engine, for example `@dbos-inc/dbos-sdk`.
 * `version` is the version in the install command of the error message.
 *
 * @throws AgentStatechartsError `package_missing` with the install command
 */
export function enginePackage(name: string, version: string, entry: string): unknown {
  try {
    return require(name)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== "MODULE_NOT_FOUND" || !message.startsWith(`Cannot find module '${name}'`))
      throw cause
    throw new AgentStatechartsError(
      "package_missing",
      `"agent-statecharts/${entry}" needs "${name}", which is not installed. Install it: npm install ${name}@${version}`,
      { cause },
    )
  }
}
