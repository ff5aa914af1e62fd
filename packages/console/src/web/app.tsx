import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf, path, pathParts } from './address/address.ts'
import { api, ask, hasSession, takesKeys, visitor, wordsOf } from './api/api.ts'
import { KeyForm } from './key-form.tsx'
import mark from './mark.svg?no-inline'
import { Navigation } from './navigation.tsx'
import { pageNamed, shownAt } from './pages/pages.tsx'
import { sourcePages } from './pages/source-pages.ts'
import { Command } from './parts/empty.tsx'
import { ProblemNote } from './parts/problem-note.tsx'
import { PageHead } from './parts/section.tsx'
import { plainText } from './text/segments-of.ts'
import { Text } from './text/text.tsx'
import { theme } from './theme.ts'

const problem = signal('')

/** The console: the navigation, and the page at the current address. */
export function App() {
  useEffect(() => {
    openSession().catch(error => {
      problem.value = wordsOf(error)
    })
  }, [])
  if (hasSession.value === undefined && problem.value === '') return null
  if (hasSession.value !== true) return <Closed />
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Go to the content
      </a>
      <Navigation />
      <Page />
    </div>
  )
}

/**
 * Opens a session with the token of a one-time link. The token is in the fragment (after `#`), which browsers do not
 * send, so that no server logs the token.
 */
async function openSession(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1]
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname + location.search)
    await ask(api.post('/session', { body: { token: decodeURIComponent(token) } })).catch(async error => {
      // The browser may already have a session when it opens a used link, so the session is checked before an error is
      // shown.
      await ask(api.get('/session')).catch(() => {
        throw error
      })
    })
  }
  visitor.value = (await ask(api.get('/session'))).name
}

function Page() {
  const main = useRef<HTMLElement>(null)
  const page = pageNamed(pathParts.value[0])
  const shown = useRef(path.value)
  useEffect(() => {
    // The focus moves to the start of the new page, for keyboard users.
    if (shown.current !== path.value) main.current?.focus({ preventScroll: true })
    shown.current = path.value
  }, [path.value])
  useEffect(() => {
    document.title = [...pathParts.value.slice(1).reverse(), page?.title, 'Signalbox']
      .filter(Boolean)
      .map(part => plainText(String(part).slice(0, 80)))
      .join(' · ')
  }, [path.value, page])
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {page === undefined && sourcePages.value === undefined
        ? null
        : ((page && shownAt(page, pathParts.value.slice(1))) ?? <NoSuchPage />)}
    </main>
  )
}

function NoSuchPage() {
  return (
    <PageHead title="There is no such page">
      The console has no page at <Text of={path.value} most={200} />. Choose one from the navigation, or start
      at <a href={addressOf('/invocations')}>Invocations</a>.
    </PageHead>
  )
}

/** The page for a visitor without a session. */
function Closed() {
  // Reading the value also applies the chosen theme to this page.
  void theme.value
  return (
    <main id="main" class="closed">
      <a class="brand" href={addressOf('/')}>
        <img src={mark} alt="" />
        Signalbox console
      </a>
      <h1>{takesKeys.value ? 'Sign in with a key' : 'Open the console with its link'}</h1>
      {problem.value !== '' && hasSession.value === undefined && (
        <ProblemNote text={problem.value} retry={() => location.reload()} />
      )}
      {hasSession.value === false && problem.value !== '' && <p class="faint">{problem.value}</p>}
      {takesKeys.value ? (
        <>
          <KeyForm />
          <p>
            <Command>signalbox access add NAME</Command> makes a key for an identity. Its rights over the
            console are in the configuration, such as <code>{'console: { read: ["*"] }'}</code>.
          </p>
        </>
      ) : (
        <p>
          This browser has no session. <Command>signalbox dev</Command> prints a link that opens the console
          once. Start it in your project, and open the link that it prints.
        </p>
      )}
    </main>
  )
}
