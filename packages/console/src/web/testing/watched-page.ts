import type { Browser, Page } from 'playwright-core'

/** A page that records every effect that hostile content could have. */
export interface WatchedPage {
  readonly page: Page
  /** The recorded effects: requests to other origins, dialogs, windows and errors of the page. */
  readonly acted: string[]
  /** Shows another page without loading the application again. Resolves when its answers are shown. */
  readonly show: (address: string) => Promise<void>
  /**
   * Returns the changes that content made to the page: elements, attributes and characters that must not be
   * there.
   */
  readonly found: () => Promise<readonly string[]>
}

/** Opens a page that may send requests only to this origin. */
export async function watchedPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const acted: string[] = []
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  await context.addInitScript(counting)
  await context.route(
    url => !url.href.startsWith(origin) && url.protocol !== 'data:',
    route => {
      acted.push(`requested ${route.request().url()}`)
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('pageerror', error => acted.push(String(error)))
  page.on('dialog', dialog => {
    acted.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => acted.push('popup'))
  return {
    page,
    acted,
    show: address =>
      page.evaluate(`(async () => {
        history.pushState(null, '', ${JSON.stringify(`/console${address}`)})
        dispatchEvent(new Event('popstate'))
        const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
        for (let quiet = 0; quiet < 2; quiet = window.isWaiting() ? 0 : quiet + 1) await frame()
      })()`),
    found: () => page.evaluate(census),
  }
}

/** Code that counts the pending requests of the page. */
const counting = `{
  const original = window.fetch
  let pending = 0
  window.isWaiting = () => pending > 0
  window.fetch = (...input) => {
    pending++
    return original(...input).finally(() => setTimeout(() => pending--))
  }
  window.ran = () => { throw new Error('hostile content ran') }
  window.alert = window.ran
}`

const census = `(() => {
  const allowed = new Set('A ABBR BDI BUTTON CODE DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FORM H1 H2 H3 HEADER IFRAME INPUT LABEL LEGEND LI LINE NAV OL OPTGROUP OPTION P PATH PRE PROGRESS SEARCH SECTION SELECT SPAN STRONG SUMMARY SVG TABLE TBODY TD TEXTAREA TH THEAD TIME TITLE TR UL'.split(' '))
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
})()`
