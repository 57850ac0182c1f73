/** What a chart says before it runs: unreachable states, rings, the most that a run can come to, who writes and reads what. */
export { analyzeChart } from "./analyze-chart.js"
export type { AnalyzeOptions, ChartAnalysis } from "./analyze-chart.js"
export type { Bound, Bounds, PathStep } from "./bounds.js"
export type { Ring } from "./chart-rings.js"
export type { Finding, FindingCode } from "./finding.js"
export type { KeyUse } from "./keys.js"
export type { Price, PriceList } from "./prices.js"
