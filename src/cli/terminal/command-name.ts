/**
 * Returns the command that starts this program, for use in messages. The command begins with `npx`
 * if a package manager runs this process (as `npx` and `npm start` do), because a shell may then
 * not find the program.
 */
export const commandName = (): string =>
  process.env["npm_command"] === undefined && process.env["npm_lifecycle_event"] === undefined
    ? "agent-statecharts"
    : "npx agent-statecharts"
