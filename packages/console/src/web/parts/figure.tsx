import type { ComponentChildren } from 'preact'

/** A number with its name, in a list of class `figures` or `facts`. */
export function Figure({
  name,
  isBad = false,
  children,
}: {
  readonly name: string
  readonly isBad?: boolean
  readonly children: ComponentChildren
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isBad ? 'bad' : undefined}>{children}</dd>
    </div>
  )
}
