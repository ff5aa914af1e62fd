import { computed } from '@preact/signals'
import type { ConsolePage } from '@signalbox/platform-runtime/console'
import type { ComponentChildren } from 'preact'
import type { OwnName } from '../../api/own-pages.ts'
import { sources } from '../sources/all.ts'
import { AccessLogPage } from './access/access-log-page.tsx'
import { DescribedPage } from './described/described-page.tsx'
import { FunctionPage } from './functions/function-page.tsx'
import { FunctionsPage } from './functions/functions-page.tsx'
import { InvocationPage } from './invocations/invocation-page.tsx'
import { InvocationsPage } from './invocations/invocations-page.tsx'
import type { Page } from './page.ts'
import { PlatformsPage } from './platforms/platforms-page.tsx'
import { sourcePages } from './source-pages.ts'
import { TryEventPage } from './try/try-event-page.tsx'
import { TryPage, trials } from './try/try-page.tsx'

interface OwnPage extends Page {
  readonly name: OwnName
}

/** The pages for the invocations. */
const firstPages: readonly OwnPage[] = [
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

/** The pages for operators, and for trials. */
const lastPages: readonly OwnPage[] = [
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

/** The contents of pages that are made by hand, in the order of the navigation. */
const byHand = new Map(sources.flatMap(each => Object.entries(each.pages ?? {})))

/** All pages, in the order of the navigation. */
export const pages = computed((): readonly Page[] => {
  const ofSources = (sourcePages.value ?? []).map(withRoutes)
  const first = [...byHand.values()].flatMap(routes => ofSources.filter(page => page.routes === routes))
  return [...firstPages, ...new Set([...first, ...ofSources]), ...lastPages]
})

function withRoutes(page: ConsolePage): Page {
  const { name, title, contents } = page
  const routes = contents
    ? { '/': () => <DescribedPage title={title} contents={contents} /> }
    : (byHand.get(name) ?? {})
  return { ...page, routes }
}

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
