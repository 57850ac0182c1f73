import type { Schedule } from "../../server/schedules/schedule.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { readJson } from "./read-source.js"

/**
 * Reads and validates the schedules in a JSON file.
 *
 * @throws UsageProblem with the problems of the file
 */
export async function readScheduleFile(file: string): Promise<readonly Schedule[]> {
  const { readSchedules } = await import("../../server/schedules/schedule-file.js")
  const { schedules, problems } = readSchedules(await readJson(file, "schedule file"))
  if (problems.length > 0)
    throw new UsageProblem(
      `${file} is not a valid schedule file.\n${problems.map((problem) => `  ${problem}`).join("\n")}\nTo see all fields, run agent-statecharts schema schedules.`,
    )
  return schedules
}
