/**
 * Returns the command that starts this program, for commands in messages. If a package manager runs
 * the process, as `npx` and `npm start` do, a shell may not find the program, so the command begins
 * with `npx`.
 */
export const commandName = (): string =>
  process.env["npm_command"] === undefined && process.env["npm_lifecycle_event"] === undefined
    ? "agent-statecharts"
    : "npx agent-statecharts"
