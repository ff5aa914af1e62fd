import type { ComponentChildren } from 'preact'

/** Says that there is nothing, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A command to type in a terminal. */
export function Command({ children }: { readonly children: string }) {
  return <code class="command">{children}</code>
}
