#!/usr/bin/env node
// Runs `agent-statecharts init` with the arguments of `npm create agent-statecharts`.
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const require = createRequire(import.meta.url)
const manifestFile = require.resolve("agent-statecharts/package.json")
const command = join(dirname(manifestFile), require(manifestFile).bin["agent-statecharts"])
process.argv.splice(2, 0, "init")
await import(pathToFileURL(command).href)
