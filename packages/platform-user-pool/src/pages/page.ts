import type { PagesSettings } from '../config/pages-config.ts'
import type { WebAnswer } from '../oidc/web.ts'
import { type Html, html, textOf } from './html.ts'
import { type Styles, stylesOf } from './styles.ts'

export interface Page {
  readonly title: string
  readonly body: Html
  /** The reason why the last form was refused. */
  readonly wrong?: string | undefined
  readonly notice?: string | undefined
  /** The status of the response. Default 200, or 400 when `wrong` is set. */
  readonly status?: number
  /** The origin of the client's address, which the forms of the page may also redirect to. */
  readonly formTarget?: string | undefined
  /** The URL of the page's script on this server. */
  readonly script?: string
  readonly look: PagesSettings
}

/** The id of the error text that fields refer to. */
const wrongId = 'wrong'

/**
 * Returns a page with its security headers. Browsers do not cache it, show it in a frame, or send its address to other
 * sites.
 */
export function pageAnswer(page: Page): WebAnswer {
  const { title, body, wrong, notice, status, formTarget, script, look } = page
  const styles = stylesOf(look)
  const policy = [
    "default-src 'none'",
    `style-src ${styles.source}`,
    ...(look.logo === undefined ? [] : ['img-src data:']),
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    ...(script === undefined ? [] : ["script-src 'self'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${wrong === undefined ? title : `Error: ${title}`}</title>
${styleElement(styles)}
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<main>
${headerOf(look)}<h1>${title}</h1>
${wrong !== undefined && html`<p class="wrong" id="${wrongId}" role="alert">${wrong}</p>`}
${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
${body}
</main>
</body>
</html>
`
  return {
    status: status ?? (wrong === undefined ? 200 : 400),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      ...pageHeaders,
    },
    body: textOf(text),
  }
}

/** The styles need no escaping: colors and rules of others are made of checked values only. Their digest is in the policy. */
function styleElement({ text }: Styles): Html {
  return html([`<style>${text}</style>`] as unknown as TemplateStringsArray)
}

/** Returns the logo and the name of the service. The name next to the logo says what the logo says. */
function headerOf({ logo, name }: PagesSettings): Html | false {
  if (logo === undefined && name === undefined) return false
  return html`<header>${logo !== undefined && html`<img src="${logo}" alt="">`}${name !== undefined && html`<span>${name}</span>`}</header>
`
}

/** The security headers of every response to a browser. */
export const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** A field with its label. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'date' | 'url'
  readonly autocomplete: string
  readonly value?: string | undefined
  readonly hint?: string
  readonly isNumeric?: boolean
  readonly isOptional?: boolean
}

/**
 * Returns the fields of a form in this order. The first field has the focus. After an error, each field refers to the
 * error text.
 * @param wrong the error text of the page
 */
export function fieldsOf(fields: readonly Field[], wrong: string | undefined): Html {
  return html`${fields.map((field, at) => fieldOf(field, wrong !== undefined, at === 0))}`
}

function fieldOf(
  { name, label, type = 'text', autocomplete, value, hint, isNumeric, isOptional }: Field,
  isWrong: boolean,
  isFirst: boolean,
): Html {
  const described = [...(isWrong ? [wrongId] : []), ...(hint === undefined ? [] : [`${name}-hint`])].join(' ')
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value ?? ''}"${
    described !== '' && html` aria-describedby="${described}"`
  }${isWrong && html` aria-invalid="true"`}${!isOptional && html` required`}${
    isNumeric && html` inputmode="numeric"`
  }${isFirst && html` autofocus`}${type !== 'text' ? undefined : html` autocapitalize="none" spellcheck="false"`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
`
}

/** Returns the hidden fields of a form. */
export function carried(values: { readonly [name: string]: string | undefined }): Html {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return html`${present.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
