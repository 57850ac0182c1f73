/**
 * Returns the shell command that starts this program, for messages. The command begins with `npx`
 * if a package manager runs this process (for example with `npm start`). A shell may then not find
 * the program without `npx`.
 */
export const commandName = (): string =>
  process.env["npm_command"] === undefined && process.env["npm_lifecycle_event"] === undefined
    ? "agent-statecharts"
    : "npx agent-statecharts"
