// The page of run-chart.test.ts. It imports the package as the bundler of a user does.
import { compile } from "agent-statecharts/compiler"
import { RunChart } from "agent-statecharts/react"
import { defineRunChart } from "agent-statecharts/run-chart"
import { createRunner } from "agent-statecharts/runtime"
import { createElement, StrictMode } from "react"
import { createRoot } from "react-dom/client"

/** Starts a run whose model responds when `respond` is called. */
function start(config) {
  const { chart } = compile(config)
  let respond
  const response = new Promise((resolve) => (respond = resolve))
  const run = createRunner({ models: { writer: { call: () => response } } }).start(chart)
  return { run, respond: (content) => respond({ content }) }
}

globalThis.page = { start, RunChart, defineRunChart, createElement, StrictMode, createRoot }
