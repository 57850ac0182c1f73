import { spawn } from "node:child_process"

/**
 * Runs npm in a folder and prints the output of npm to stderr. Resolves to whether npm succeeded.
 * Rejects if npm cannot be started.
 */
export function runNpm(args: readonly string[], folder: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // On Windows, npm is a batch file, which only a shell can start. The arguments are constants.
    const npm = spawn("npm", [...args], {
      cwd: folder,
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    })
    npm.on("error", reject)
    npm.on("close", (code) => resolve(code === 0))
  })
}
