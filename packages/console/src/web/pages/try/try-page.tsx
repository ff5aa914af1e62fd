import type { ComponentChildren } from 'preact'
import { addressOf } from '../../address/address.ts'
import { PageHead } from '../../parts/section.tsx'
import { sources } from '../../sources/all.ts'

/** What sources let a visitor try, besides an event to a function. */
export const trials = sources.flatMap(({ trial }) => trial ?? [])

const tabs = [{ name: 'event', title: 'An event to a function' }, ...trials]

/** The page that sends test events and requests: its head, its tabs and the current tab. */
export function TryPage({
  current,
  children,
}: {
  /** The name of the current tab. */
  readonly current: string
  readonly children: ComponentChildren
}) {
  return (
    <>
      <PageHead title="Try it">Send something, and see what comes of it.</PageHead>
      <nav class="tabs" aria-label="Try it">
        {tabs.map(({ name, title }) => (
          <a key={name} href={addressOf(`/try/${name}`)} aria-current={name === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {children}
    </>
  )
}
