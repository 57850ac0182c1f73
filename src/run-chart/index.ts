/** The custom element `<run-chart>`: a live drawing of the chart of a run. */
export { defineRunChart, RunChartElement } from "./run-chart-element.js"
export type { ChartDrawing } from "./run-chart-element.js"
export type { ChartedRun } from "./follow-events.js"
