import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { sources } from '../sources/all.ts'
import { AccessLogPage } from './access/access-log-page.tsx'
import { DescribedPage } from './described/described-page.tsx'
import { describedPages } from './described/described-pages.ts'
import { FunctionPage } from './functions/function-page.tsx'
import { FunctionsPage } from './functions/functions-page.tsx'
import { InvocationPage } from './invocations/invocation-page.tsx'
import { InvocationsPage } from './invocations/invocations-page.tsx'
import type { Page } from './page.ts'
import { PlatformsPage } from './platforms/platforms-page.tsx'
import { TryEventPage } from './try/try-event-page.tsx'
import { TryPage, trials } from './try/try-page.tsx'

/** The pages for the invocations. */
const firstPages: readonly Page[] = [
  {
    name: 'invocations',
    title: 'Invocations',
    sign: 'M1.5 8h3l2-5.5 3 11 2-5.5h3',
    routes: {
      '/': () => <InvocationsPage />,
      '/*': id => <InvocationPage key={id} id={id} />,
    },
  },
  {
    name: 'functions',
    title: 'Functions',
    part: 'functions',
    wrong: 'Failed calls in the last hour',
    sign: 'M5 2.5H3.5v4L2 8l1.5 1.5v4H5M11 2.5h1.5v4L14 8l-1.5 1.5v4H11M6.5 8h3',
    routes: {
      '/': () => <FunctionsPage />,
      '/*': name => <FunctionPage key={name} name={name} />,
    },
  },
]

const sourcePages = sources.flatMap(({ page }) => page ?? [])

/** The pages for operators, and for trials. */
const lastPages: readonly Page[] = [
  {
    name: 'access',
    title: 'Access log',
    part: 'access',
    sign: 'M8 1.5 2.5 4v4c0 3.3 2.3 5.6 5.5 6.5 3.2-.9 5.5-3.2 5.5-6.5V4zM5.5 8l2 2 3.5-4',
    routes: { '/': () => <AccessLogPage /> },
  },
  {
    name: 'platforms',
    title: 'Platforms',
    part: 'platforms',
    sign: 'M2.5 2.5h11v4h-11zM2.5 9.5h11v4h-11zM5 4.5h1.5M5 11.5h1.5',
    routes: { '/': () => <PlatformsPage /> },
  },
  {
    name: 'try',
    title: 'Try it',
    sign: 'M4 2.5v11l9-5.5z',
    routes: {
      '/': () => (
        <TryPage current="event">
          <TryEventPage />
        </TryPage>
      ),
      '/event': () => (
        <TryPage current="event">
          <TryEventPage />
        </TryPage>
      ),
      ...Object.fromEntries(
        trials.map(({ name, show }) => [`/${name}`, () => <TryPage current={name}>{show()}</TryPage>]),
      ),
    },
  },
]

/** All pages, in the order of the navigation. A page of this application replaces a described page with its name. */
export const pages = computed((): readonly Page[] => {
  const own = [...firstPages, ...sourcePages, ...lastPages]
  const described = (describedPages.value ?? []).filter(({ name }) => own.every(each => each.name !== name))
  return [
    ...firstPages,
    ...sourcePages,
    ...described.map(page => ({
      ...page,
      part: page.name,
      routes: { '/': () => <DescribedPage page={page} /> },
    })),
    ...lastPages,
  ]
})

/** Returns the page with this name, or undefined. The start page's name can be left out. */
export function pageNamed(name = ''): Page | undefined {
  return name === '' ? firstPages[0] : pages.value.find(page => page.name === name)
}

/** Returns what a page shows at a path below its name, or undefined if it has no such path. */
export function shownAt({ routes }: Page, segments: readonly string[]): ComponentChildren {
  for (const [path, show] of Object.entries(routes)) {
    const parts = path === '/' ? [] : path.slice(1).split('/')
    if (parts.length !== segments.length) continue
    if (parts.every((part, index) => (part === '*' ? segments[index] !== '' : part === segments[index])))
      return show(...segments.filter((_, index) => parts[index] === '*'))
  }
  return undefined
}
