/** Input for a search text. `label` is its name for screen readers. */
export function SearchInput({
  label,
  placeholder = label,
  value,
  onChange,
}: {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
