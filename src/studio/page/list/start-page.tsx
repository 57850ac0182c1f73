import "./start-page.css"
import type { StudioFile } from "../../api.js"
import { hrefOf, labelOf } from "./workflow-list.js"

/**
 * Component for the start page. It explains how to use the studio and lists the workflows in the
 * workspace.
 */
export function StartPage({ files }: { readonly files: readonly StudioFile[] }) {
  const workflows = files.filter(({ partOf }) => partOf === null)
  if (workflows.length === 0)
    return (
      <p class="empty">
        This folder contains no workflow. Start the studio in a folder with workflows:{" "}
        <code>agent-statecharts studio FOLDER</code>.
      </p>
    )
  return (
    <div class="start-page">
      <h2>Choose a workflow</h2>
      <ol class="start-steps">
        <li>
          <strong>Open</strong> a workflow to see its text and its statechart.
        </li>
        <li>
          <strong>Run</strong> it. Workflows marked “scripted” need no API key: a file next to them
          contains the responses.
        </li>
        <li>
          <strong>Watch</strong> the active states, and answer the requests of the run.
        </li>
      </ol>
      <ul class="workflow-cards">
        {workflows.map((file) => (
          <li key={file.path}>
            <a href={hrefOf(file)}>
              <strong>{file.name}</strong>
              {file.description !== null && <span>{file.description}</span>}
              <small>
                {labelOf(file)}
                {file.scenario !== null && " · scripted"}
              </small>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
