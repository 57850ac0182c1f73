#!/usr/bin/env node
// This file has no static imports, because older versions of Node cannot load the other modules.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node 20.19 or newer is required, this is ${process.versions.node}. Install a newer version from https://nodejs.org\n`,
  )
  process.exitCode = 2
} else {
  const { runCommandLine } = await import("./command-line.js")
  const { processTerminal } = await import("./terminal/terminal.js")
  // process.exit would cut off output that is still being written to a pipe.
  process.exitCode = await runCommandLine(process.argv, processTerminal(process))
}

export {}
