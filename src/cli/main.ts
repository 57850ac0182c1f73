#!/usr/bin/env node
// This file has no static imports, because older versions of Node cannot load the other modules.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node 20.19 or newer is required, this is ${process.versions.node}. Install a newer version from https://nodejs.org\n`,
  )
  process.exitCode = 2
} else {
  await cacheCompiledCode()
  const { runCommandLine } = await import("./command-line.js")
  const { processTerminal } = await import("./terminal/terminal.js")
  // process.exit would cut off output that is still being written to a pipe.
  process.exitCode = await runCommandLine(process.argv, processTerminal(process))
}

/**
 * Enables the compile cache of Node, which needs Node 22.1 or newer. Later commands then use 10 to
 * 25 % less CPU time. The cache is a folder in `node_modules`, so only users who can change the
 * package can write to it. Node's default is a shared folder for temporary files. If the folder is
 * not writable, Node stores nothing.
 */
async function cacheCompiledCode(): Promise<void> {
  const packages = new URL("../../../", import.meta.url)
  if (!packages.pathname.endsWith("/node_modules/")) return
  const { default: module } = await import("node:module")
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown }
  if (enableCompileCache === undefined) return
  const { fileURLToPath } = await import("node:url")
  enableCompileCache(fileURLToPath(new URL(".cache/agent-statecharts", packages)))
}

export {}
