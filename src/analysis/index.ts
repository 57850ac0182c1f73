/**
 * Entry point of the static analysis of charts (compiled workflows). The analysis finds unreachable
 * states, cycles, upper bounds for calls and costs, and the agents that read and write each session
 * state key.
 */
export { analyzeChart } from "./analyze-chart.js"
export type { AnalyzeOptions, ChartAnalysis } from "./analyze-chart.js"
export type { Bound, Bounds, PathStep } from "./bounds/bounds.js"
export type { Expected, ExpectedAssumption } from "./bounds/expected.js"
export type { ChartCycle } from "./findings/chart-cycles.js"
export type { Finding, FindingCode } from "./findings/finding.js"
export type { KeyUse } from "./keys/analyze-keys.js"
export type { Price, PriceList } from "../policies/price-list.js"
export type {
  Counterexample,
  CounterexampleStep,
  PolicyReason,
  PolicyResult,
} from "./policies/policy-result.js"
export type { PathScript, ScriptedAct } from "./model-checking/path-script.js"
export type { Act, ClockAct, FunctionAct, ModelAct, PersonAct, ToolAct } from "./behavior/act.js"
export type { PolicyWarning } from "./policies/policy-warnings.js"
export { worstCase } from "./worst-case/worst-case.js"
export type { WorstCase, WorstCaseOptions } from "./worst-case/worst-case.js"
