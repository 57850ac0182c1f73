/**
 * The custom element `<run-chart>`: the drawing of a chart that highlights the states of a run
 * live.
 */
export { defineRunChart, RunChartElement } from "./run-chart-element.js"
export type { ChartDrawing } from "./run-chart-element.js"
export type { ChartedRun } from "./follow-events.js"
