import { Hono } from "hono"
import type { Schedules } from "../schedules/schedules.js"
import { addRoute } from "./add-route.js"
import { operations } from "./operations.js"

/** Creates the route of the JSON API that lists the schedules of the server. */
export function scheduleRoutes(schedules: Schedules): Hono {
  const routes = new Hono()
  addRoute(routes, operations.listSchedules, async () => ({
    body: {
      schedules: (await schedules.list()).map(({ schedule, nextDueAt, lastRun }) => ({
        name: schedule.name,
        workflow: schedule.workflow,
        ...schedule.timing,
        missed: schedule.missed,
        overlap: schedule.overlap,
        paused: schedule.isPaused,
        nextDueAt,
        lastRun,
      })),
    },
  }))
  return routes
}
