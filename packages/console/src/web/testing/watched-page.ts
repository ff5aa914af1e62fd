import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { plainText } from '../text/segments-of.ts'

interface Options {
  /** Whether the page submits its first form. */
  readonly isSubmitted?: boolean
}

/** A page that records every effect that hostile content could have. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  /** The recorded effects: requests to other origins, dialogs, windows and errors of the page. */
  readonly acted: string[]
  /**
   * Shows another page without loading the application again. Waits until its answers are shown, and until these
   * contents are in its text. Returns what is wrong with the page: contents that it does not show, and elements,
   * attributes and characters that must not be there.
   */
  readonly show: (
    address: string,
    contents?: readonly string[],
    options?: Options,
  ) => Promise<readonly string[]>
  /**
   * Shows pages one after another, each with its content. Returns the number of the first wrong page, and what is
   * wrong with it. Requests of a page have its number in the header `x-number`.
   */
  readonly showEach: (
    pages: readonly { readonly address: string; readonly content?: string | undefined }[],
    options?: Options,
  ) => Promise<readonly (number | string)[]>
}

/** Opens a page that can reach only this machine. A proxy records and refuses requests to other hosts. */
export async function watchedPage(browser: Browser): Promise<WatchedPage> {
  const acted: string[] = []
  const proxy = createServer((request, response) => {
    acted.push(`requested ${request.url}`)
    response.writeHead(403).end()
  })
  proxy.on('connect', (request, socket) => {
    acted.push(`connected to ${request.url}`)
    socket.destroy()
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const context = await browser.newContext({
    viewport: { width: 1000, height: 700 },
    proxy: {
      server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      bypass: '127.0.0.1,localhost',
    },
  })
  await context.addInitScript(watching)
  const page = await context.newPage()
  page.on('pageerror', error => acted.push(String(error)))
  page.on('dialog', dialog => {
    acted.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => acted.push('popup'))
  const shown = (content: string) => [beginningOf(content), plainText(beginningOf(content))] as const
  return {
    page,
    acted,
    show: (address, contents = [], { isSubmitted = false } = {}) =>
      page.evaluate(`show(${JSON.stringify([address, contents.map(shown), isSubmitted]).slice(1, -1)})`),
    showEach(pages, { isSubmitted = false } = {}) {
      const all = pages.map(({ address, content }) => [
        address,
        content === undefined ? [] : [shown(content)],
        isSubmitted,
      ])
      return page.evaluate(`(async pages => {
        for (const [number, page] of pages.entries()) {
          window.shownNumber = number
          const wrong = await show(...page)
          if (wrong.length > 0) return [number, ...wrong]
        }
        return []
      })(${JSON.stringify(all)})`)
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/**
 * Returns the first characters of a content's first line. The console shows at least these characters when it
 * truncates a text.
 */
function beginningOf(content: string): string {
  const [line = ''] = content.split(/[\r\n\t]/)
  return [...line].slice(0, 20).join('')
}

/**
 * Code that runs in the page before the application. It counts the pending requests until their bodies are complete.
 * Animation frames do not wait for the display, so that the application's effects run at once.
 */
const watching = `{
  const original = window.fetch
  let pending = 0
  window.fetch = async (...input) => {
    pending++
    try {
      const request = new Request(...input)
      if (window.shownNumber !== undefined) request.headers.set('x-number', window.shownNumber)
      const response = await original(request)
      const { status, headers } = response
      const body = await response.arrayBuffer()
      return new Response(status === 204 ? null : body, { status, headers })
    } finally {
      setTimeout(() => pending--)
    }
  }
  window.requestAnimationFrame = run => setTimeout(() => run(performance.now()))
  window.cancelAnimationFrame = clearTimeout
  window.ran = () => { throw new Error('hostile content ran on page ' + window.shownNumber) }
  window.alert = window.ran

  const census = () => {
    const allowed = new Set('A ABBR BDI BUTTON CODE DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FORM H1 H2 H3 HEADER IFRAME INPUT LABEL LEGEND LI LINE NAV OL OPTGROUP OPTION P PATH PRE PROGRESS RECT SEARCH SECTION SELECT SPAN STRONG SUMMARY SVG TABLE TBODY TD TEXTAREA TH THEAD TIME TITLE TR UL'.split(' '))
    const found = []
    for (const element of document.querySelectorAll('main *')) {
      if (!allowed.has(element.tagName.toUpperCase())) found.push('element ' + element.tagName)
      for (const { name, value } of element.attributes) {
        if (/^on/.test(name)) found.push('attribute ' + name)
        if (/^(?:href|src|action|formaction)$/.test(name) && !value.startsWith('/console/')) found.push(name + ' ' + value.slice(0, 80))
      }
      if (element.tagName === 'IFRAME' && element.getAttribute('sandbox') !== '') found.push('frame without sandbox')
    }
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('textarea')) continue
      const characters = node.data.match(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]/)
      if (characters) found.push('a character that acts: ' + escape(characters[0]))
    }
    if (({}).isAdmin || window.isAdmin) found.push('polluted prototype')
    return found
  }
  const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  const answered = async () => {
    for (let quiet = 0; quiet < 2; quiet = pending > 0 ? 0 : quiet + 1) await frame()
  }
  window.show = async (address, contents, isSubmitted) => {
    // Everything is loaded and laid out, but not painted.
    document.documentElement.style.opacity = '0'
    history.pushState(null, '', '/console' + address)
    dispatchEvent(new Event('popstate'))
    await answered()
    if (isSubmitted) {
      document.querySelector('main form').dispatchEvent(new SubmitEvent('submit', { cancelable: true }))
      await answered()
    }
    const missing = () => {
      const text = document.querySelector('main').textContent
      const fields = [...document.querySelectorAll('main :is(input, textarea)')].map(({ value }) => value)
      return contents.filter(
        ([raw, shown]) => !text.includes(shown) && !fields.some(value => value.includes(raw)),
      )
    }
    const end = Date.now() + 20_000
    while (missing().length > 0 && Date.now() < end) await frame()
    return [...missing().map(([, shown]) => 'no text ' + shown), ...census()]
  }
}`
