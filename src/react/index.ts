/** React hooks and a component that show the state of a run (React 18 or newer). */
export { useRun } from "./use-run.js"
export type { RunActions, UsedRun, UseRunOptions } from "./use-run.js"
export { RunChart } from "./run-chart.js"
export type { RunChartProps } from "./run-chart.js"
export { useRemoteRun } from "./use-remote-run.js"
export type { RemoteRunActions, UsedRemoteRun, UseRemoteRunOptions } from "./use-remote-run.js"
