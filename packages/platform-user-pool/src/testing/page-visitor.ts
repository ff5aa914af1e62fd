/** The page that a visitor currently sees. */
export interface VisitedPage {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

type Fields = { readonly [name: string]: string }

/**
 * Simulates a browser without scripts. The visitor keeps cookies, follows the redirects of one server, and sends the
 * forms of its pages with their hidden fields. It stops at redirects to other servers.
 */
export function pageVisitor(origin: string) {
  const cookies = new Map<string, string>()
  const ask = async (url: string, init: RequestInit = {}): Promise<VisitedPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Fields), ...(cookie !== '' && { cookie }) },
    })
    for (const each of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const location = answer.headers.get('location')
    const page = { url, status: answer.status, text: await answer.text(), headers: answer.headers }
    if (location === null) return page
    const next = new URL(location, url)
    return next.origin === origin ? ask(next.href) : { ...page, url: next.href }
  }
  return {
    cookies,
    open: (url: string) => ask(url),
    /** Submits the first form that has all of these fields and has this string in its action. */
    send: (page: VisitedPage, fields: Fields, action = '') => {
      const form = formsOf(page).find(
        each =>
          each.action.includes(action) &&
          Object.keys(fields).every(name => name in each.fields || each.choices.includes(name)),
      )
      if (form === undefined) throw new Error(`There is no such form at ${page.url}:\n${page.text}`)
      const body = new URLSearchParams({ ...form.fields, ...fields })
      return ask(new URL(form.action, page.url).href, { method: 'POST', body })
    },
  }
}

/** Returns the forms of a page. */
function formsOf({ text }: VisitedPage) {
  return [...text.matchAll(/<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action, contents]) => {
      const inputs = [...contents!.matchAll(/<(?:input|button) [^>]*?name="([^"]*)"[^>]*>/g)]
      // Browsers submit a check box or button only if the user chooses it.
      const isChoice = ([tag]: readonly string[]) => /^<button|type="checkbox"/.test(tag!)
      const fields = inputs
        .filter(each => !isChoice(each))
        .map(([tag, name]) => [name!, unescaped(/value="([^"]*)"/.exec(tag!)?.[1] ?? '')])
      return {
        action: unescaped(action!),
        fields: Object.fromEntries(fields) as Fields,
        choices: inputs.filter(isChoice).map(([, name]) => name!),
      }
    },
  )
}

function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
