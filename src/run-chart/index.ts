/**
 * The custom element `<run-chart>`, which shows the drawing of a chart and highlights the states of
 * a run while the run executes.
 */
export { defineRunChart, RunChartElement } from "./run-chart-element.js"
export type { ChartDrawing } from "./run-chart-element.js"
export type { ChartedRun } from "./follow-events.js"
