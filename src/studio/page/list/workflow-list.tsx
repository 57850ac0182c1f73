import type { StudioFile } from "../../api.js"

interface WorkflowListProps {
  readonly files: readonly StudioFile[]
  /** Path of the workflow file that the page shows. Null if the page shows another view. */
  readonly selected: string | null
}

/**
 * Component that lists workflows by name. The files that a workflow includes are listed below it.
 */
export function WorkflowList({ files, selected }: WorkflowListProps) {
  const listed = new Set(files.map(({ path }) => path))
  const partsOf = new Map<string, StudioFile[]>()
  for (const file of files)
    if (file.partOf !== null) partsOf.set(file.partOf, [...(partsOf.get(file.partOf) ?? []), file])
  const roots = files.filter(({ partOf }) => partOf === null || !listed.has(partOf))
  const itemOf = (file: StudioFile, ancestors: readonly string[]) => {
    const parts = (partsOf.get(file.path) ?? []).filter(({ path }) => !ancestors.includes(path))
    return (
      <li key={file.path}>
        <a
          href={hrefOf(file)}
          title={[file.path, file.description].filter(Boolean).join("\n")}
          data-path={file.path}
          aria-current={selected === file.path ? "page" : undefined}
        >
          <span class="workflow-name">{file.name}</span>
          <span class="workflow-facts">
            {ancestors.length > 0 ? fileName(file) : labelOf(file)}
            {ancestors.length === 0 && file.description !== null && ` · ${file.description}`}
          </span>
        </a>
        {parts.length > 0 && (
          <ul aria-label={`Parts of ${file.name}`}>
            {parts.map((part) => itemOf(part, [...ancestors, file.path]))}
          </ul>
        )}
      </li>
    )
  }
  return (
    <ul class="files" aria-labelledby="workflows" tabIndex={0}>
      {roots.map((file) => itemOf(file, []))}
    </ul>
  )
}

/** Returns the link to the page that shows a workflow file. */
export const hrefOf = ({ path }: StudioFile): string => `#/file/${encodeURIComponent(path)}`

const fileName = ({ path }: StudioFile): string => path.slice(path.lastIndexOf("/") + 1)

/**
 * Returns the label of a workflow file. It is the folder if the file is named `workflow.json` or
 * `root_agent.yaml`, otherwise the path.
 */
export const labelOf = ({ path }: StudioFile): string =>
  path.replace(/\/(workflow\.json|root_agent\.ya?ml)$/, "")
