import { addressOf, pathParts } from './address/address.ts'
import { api, ask, visitor } from './api/api.ts'
import { useAction, useAnswer } from './api/use-answer.ts'
import { connection } from './live/live.ts'
import mark from './mark.svg?no-inline'
import type { Page } from './pages/page.ts'
import { pageNamed, pages } from './pages/pages.tsx'
import { Text } from './text/text.tsx'
import { type Theme, theme } from './theme.ts'

/** The navigation, the theme selection, and the state of the live connection. */
export function Navigation() {
  const current = pageNamed(pathParts.value[0])
  const parts = useAnswer(signal => ask(api.get('/parts', { signal })), 'parts', { every: 5000 })
  const states = parts.value ?? {}
  const stateOf = ({ part = '' }: Page) => (Object.hasOwn(states, part) ? states[part] : undefined)
  // Without an answer, the navigation lists every page, so that visitors can see what each of them says is wrong.
  const isListed = (page: Page) =>
    page.part === undefined || (stateOf(page)?.isUsed ?? parts.error !== undefined)
  return (
    <header class="side">
      <a class="brand" href={addressOf('/')}>
        <img src={mark} alt="" />
        Signalbox
      </a>
      <nav aria-label="Pages">
        <ul>
          {pages.value.filter(isListed).map(page => (
            <li key={page.name}>
              <a href={addressOf(`/${page.name}`)} aria-current={page === current ? 'page' : undefined}>
                <svg viewBox="0 0 16 16" aria-hidden="true">
                  <path d={page.sign} />
                </svg>
                <Text of={page.title} most={40} />
                <Wrong page={page} count={stateOf(page)?.wrong ?? 0} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-end">
        <Connection />
        <Visitor />
        <label class="theme">
          <span>Theme</span>
          <select
            value={theme.value}
            onChange={event => {
              theme.value = event.currentTarget.value as Theme
            }}
          >
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
      </div>
    </header>
  )
}

/** The number of things that went wrong in the part of a page. */
function Wrong({ page, count }: { readonly page: Page; readonly count: number }) {
  if (count === 0 || page.wrong === undefined) return null
  return (
    <span class="wrong" title={`${page.wrong}: ${count.toLocaleString('en')}`}>
      <span class="unseen">{page.wrong}: </span>
      {count > 99 ? '99+' : count}
    </span>
  )
}

/** The name of a visitor who signed in with a key, and a button to sign out. */
function Visitor() {
  const leave = useAction(async () => {
    await ask(api.del('/session'))
    location.reload()
  })
  if (visitor.value === '' || visitor.value === 'operator') return null
  return (
    <span class="visitor">
      <Text of={visitor.value} most={40} />
      <button type="button" class="quiet" disabled={leave.isBusy} onClick={leave.start}>
        Sign out
      </button>
    </span>
  )
}

const states = {
  opening: ['', 'Connecting'],
  open: ['good', 'Live'],
  lost: ['bad', 'Not connected'],
} as const

function Connection() {
  const [tone, words] = states[connection.value]
  return (
    <span class="connection" role="status">
      <span class={`dot ${tone}`} />
      {words}
    </span>
  )
}
