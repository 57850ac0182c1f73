#!/usr/bin/env node
import { runCommandLine } from "./command-line.js"
import { processTerminal } from "./terminal/terminal.js"

// process.exit would cut off output that is still being written to a pipe.
process.exitCode = await runCommandLine(process.argv, processTerminal(process))
