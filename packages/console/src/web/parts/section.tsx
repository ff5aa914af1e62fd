import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A part of a page with a heading. */
export function Section({
  title,
  tools,
  children,
}: {
  readonly title: ComponentChildren
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        <span class="grow" />
        {tools}
      </div>
      {children}
    </section>
  )
}

/** The head of a page: its title, a description, and its actions. */
export function PageHead({
  title,
  children,
  tools,
}: {
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
  readonly tools?: ComponentChildren
}) {
  return (
    <header class="page-head">
      <div class="page-title">
        <h1>{title}</h1>
        {children && <p class="faint">{children}</p>}
      </div>
      {tools && <div class="actions">{tools}</div>}
    </header>
  )
}
