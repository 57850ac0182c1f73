// Runs every test file that uses random cases with a fresh seed and more cases than `npm test`.
//   PROPERTY_SEED=N     repeats a run        PROPERTY_FACTOR=N     multiplies the number of cases, by default 5 (npm test: 0.1)
import { spawnSync } from "node:child_process"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

const seed = process.env.PROPERTY_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const factor = process.env.PROPERTY_FACTOR ?? "5"

const usesRandomCases = (file) =>
  /"fast-check"|\/random-cases\.js"/.test(readFileSync(file, "utf8"))
const files = readdirSync("test", { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name))
  .filter(usesRandomCases)

console.log(`PROPERTY_SEED=${seed} PROPERTY_FACTOR=${factor}`)
const { status } = spawnSync("npx", ["vitest", "run", ...files, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, PROPERTY_SEED: seed, PROPERTY_FACTOR: factor },
})
if (status !== 0) console.log(`PROPERTY_SEED=${seed} npm run test:random repeats these cases.`)
process.exitCode = status ?? 1
