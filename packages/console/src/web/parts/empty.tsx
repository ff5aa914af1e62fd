import type { ComponentChildren } from 'preact'

/** A message that says that a list is empty and how to fill it. */
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
