// Builds dist/. The type declarations and the bundles do not depend on each other, so two processes write them at the same time.
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"

/** Runs a program to its end. */
const run = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "inherit" })
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]} exited with ${code}.`)),
    )
  })

async function writeTypes() {
  // Several type checkers on two cores need 50 % more CPU time than one.
  await run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--singleThreaded")
  await run("release/prune-types.mjs")
}

async function writeBundles() {
  await run("release/bundle.mjs")
  await run("release/schemas.mjs")
  await run("node_modules/vite/bin/vite.js", "build", "--config", "src/studio/page/vite.config.mjs")
}

rmSync("dist", { recursive: true, force: true })
const failures = (await Promise.allSettled([writeTypes(), writeBundles()])).filter(
  ({ status }) => status === "rejected",
)
for (const { reason } of failures) console.error(reason.message)
if (failures.length > 0) process.exitCode = 1
