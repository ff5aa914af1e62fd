import { computed, signal } from '@preact/signals'
import { fromSegment, toSegment } from '../../api/dot-segments.ts'

const base = '/console'

const here = signal(new URL(location.href))

addEventListener('popstate', () => {
  here.value = new URL(location.href)
})

/** The path of the current page below the path of the console, such as `/queues/orders`. */
export const path = computed(() => here.value.pathname.slice(base.length).replace(/\/$/, '') || '/')

/** The query parameters of the address. Filters change them, and pages read them. */
export const query = computed(() => here.value.searchParams)

/** The decoded parts of the path. */
export const pathParts = computed(() => path.value.split('/').slice(1).map(decoded))

/**
 * Returns the address of a page, to use in a link. The caller must encode the parts of the path with
 * `segment`.
 */
export function addressOf(to: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value)
  return `${base}${to}${search.size > 0 ? `?${search}` : ''}`
}

/** Encodes a part of a path. */
export function segment(text: string): string {
  // Lone surrogates cannot be encoded, so they are replaced.
  return encodeURIComponent(toSegment(text).toWellFormed())
}

/** Shows another page of the console. */
export function go(address: string): void {
  history.pushState(null, '', address)
  here.value = new URL(location.href)
  scrollTo(0, 0)
}

/**
 * Changes query parameters of the current address. An empty value removes a parameter. The browser's history
 * gets no new entry.
 */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const next = new URL(here.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.searchParams.set(name, value)
    else next.searchParams.delete(name)
  }
  history.replaceState(null, '', next)
  here.value = next
}

/** Makes links within the console show their page without reloading the application. */
export function followLinks(): void {
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (
      link === null ||
      !isPlain ||
      event.defaultPrevented ||
      link.target !== '' ||
      link.hasAttribute('download')
    )
      return
    const isOurs = link.origin === location.origin && `${link.pathname}/`.startsWith(`${base}/`)
    if (!isOurs || link.pathname.startsWith(`${base}/api/`) || link.getAttribute('href')?.startsWith('#'))
      return
    event.preventDefault()
    go(link.href)
  })
}

function decoded(part: string): string {
  try {
    return fromSegment(decodeURIComponent(part))
  } catch {
    return part
  }
}
