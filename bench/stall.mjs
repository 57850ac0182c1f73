import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { manyRuns } from "./many-runs-clients.mjs"

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const median = (numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

/**
 * Opens many runs with one reader each. Measures the delay of their events while another reader
 * alternately reads and stalls.
 */
export async function stall({ runs, seconds, turns }) {
  const place = mkdtempSync(join(tmpdir(), "many-runs-"))
  const server = await manyRuns(place)
  let late = []
  let wrong = 0
  const readers = []
  for (let n = 0; n < runs; n++) {
    let next = 0
    await server.start(`run-${n}`, { rounds: 1_000, ms: 6_000 })
    readers.push(
      server.read(`run-${n}`, (event, at) =>
        event.seq === next++ ? late.push(at - event.at) : wrong++,
      ),
    )
  }
  // 64 KiB three times per second, in three events each: more than the buffers of a connection.
  await server.start("large", { rounds: 1_000, length: 65_536, ms: 300 })
  let largest = -1
  let read = 0
  const hear = (event) => ((largest = event.seq), read++)
  const large = server.read("large", hear)
  await pause(3_000)
  const window = async (name) => {
    late = []
    await pause(seconds * 1_000)
    const sorted = late.toSorted((one, other) => one - other)
    const [p50, p99] = [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)])
    const { buffered, memory } = await server.buffers()
    console.log(
      `  ${name.padEnd(24)} ${String(sorted.length).padStart(6)} events, late by p50 ${p50} ms, p99 ${p99} ms; waiting for one reader ${Math.round(buffered / 1024)} KiB, memory ${Math.round(memory / 1024 ** 2)} MiB`,
    )
    return p99
  }
  console.log(`${runs} runs open, a reader each`)
  const [reading, stalling] = [[], []]
  let before = read
  for (let turn = 0; turn < turns; turn++) {
    large.resume()
    reading.push(await window("all read"))
    large.pause()
    before = read
    stalling.push(await window(`one stalls for ${seconds} s`))
  }
  const during = read - before
  console.log(
    `  median of p99: ${median(reading)} ms while all read, ${median(stalling)} ms while one stalls`,
  )
  large.close()
  await large.over
  const from = largest
  const again = server.read("large", hear, from)
  const begun = Date.now()
  while (largest < from + 50) await pause(5)
  console.log(
    `  the one who stalled read ${during} events meanwhile, and was back at the next 50 within ${Date.now() - begun} ms by Last-Event-ID; out of order or missing for others: ${wrong}`,
  )
  again.close()
  for (const reader of readers) reader.close()
  await server.stop()
  rmSync(place, { recursive: true })
}
