import { join } from "node:path"
import { writeTo } from "../files/write-result.js"
import type { FaultCertificate } from "./certificate.js"

/**
 * Writes a fault certificate to a folder. For each finding, also writes the scenario file and the
 * answers file that reproduce it.
 */
export async function writeFindings(certificate: FaultCertificate, folder: string): Promise<void> {
  const write = (name: string, value: unknown): Promise<void> =>
    writeTo(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
  await write("faults.certificate.json", certificate)
  for (const [index, { play }] of certificate.findings.entries()) {
    if (play === null) continue
    await write(`${index + 1}.scenario.json`, play.scenario)
    if (play.answers.length > 0) await write(`${index + 1}.answers.json`, play.answers)
  }
}
