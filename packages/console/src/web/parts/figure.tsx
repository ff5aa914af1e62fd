import type { ComponentChildren } from 'preact'
import { plainText } from '../text/segments-of.ts'

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
      <dt>{plainText(name.slice(0, 200))}</dt>
      <dd class={isBad ? 'bad' : undefined}>{children}</dd>
    </div>
  )
}
