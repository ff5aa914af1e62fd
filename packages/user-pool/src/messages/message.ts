import { nearest } from '@signalbox/codec'
import { InvalidOptionError, isThenable, notAnAnswer, refuseUnknownOptions } from '@signalbox/core'
import type { SourcesOf, TriggerEvent, TriggerResponse } from '../contract/index.ts'
import { emailMessageLength, smsMessageLength } from '../contract/limits.ts'

type MessageEvent = TriggerEvent<SourcesOf<'CustomMessage'>>
type Standing = 'code' | 'username' | 'link'

/** Returns the values of all placeholders except `{code}`, `{username}` and `{link}`. */
export type MessageValues<V extends string> = (event: MessageEvent) => { readonly [K in V]: string }

// The placeholder names in a template. Braces that contain spaces or punctuation belong to a style sheet. The names
// are collected in a parameter, because TypeScript reaches the end of a long style sheet only with tail recursion.
type Named<T extends string, Found = never> = T extends `${string}{${infer P}}${infer Rest}`
  ? Named<Rest, Found | (P extends `${string}${' ' | ':' | ';' | '\n' | '{' | '#'}${string}` ? never : P)>
  : Found

// The type of a valid template, or an error message as a type.
type Template<T extends string> = string extends T
  ? T
  : T extends `${string}{code}${string}`
    ? T
    : 'a message must contain {code}'

type ValuesFor<T extends string> = string extends T
  ? readonly [values?: MessageValues<string>]
  : [Exclude<Named<T>, Standing>] extends [never]
    ? readonly []
    : readonly [values: MessageValues<Exclude<Named<T>, Standing>>]

/**
 * Makes a CustomMessage route from templates. `{code}`, `{username}` and `{link}` are replaced with the placeholders
 * of the request. Without a username placeholder in the request, `{username}` is replaced with the user's name. Other
 * placeholders are replaced with their values from `values`, which are escaped in HTML. A subject always stays on one
 * line.
 *
 * @example
 * CustomMessage: message({ sms: 'Hello {name}, your code is {code}' }, ({ userName }) => ({ name: userName }))
 * @throws InvalidOptionError immediately, if there is no message, if a message lacks `{code}` or is too long, or if a
 * placeholder is unknown and `values` is missing. The route throws TypeError when `values` returns a promise.
 */
export function message<
  const Sms extends string = never,
  const Subject extends string = never,
  const Html extends string = never,
>(
  templates: {
    readonly sms?: Template<Sms>
    readonly email?: { readonly subject: Subject; readonly html: Template<Html> }
  },
  ...[values]: ValuesFor<Sms | Subject | Html>
): (event: MessageEvent) => TriggerResponse<'CustomMessage'> {
  refuseUnknownOptions('message()', templates, ['sms', 'email'])
  const { sms, email } = templates as {
    readonly sms?: string
    readonly email?: { readonly subject: string; readonly html: string }
  }
  if (email) refuseUnknownOptions('message() email', email, ['subject', 'html'])
  if (sms === undefined && email === undefined) {
    throw new InvalidOptionError('message() needs sms or email.')
  }
  const hasValues = values !== undefined
  if (sms !== undefined) checkTemplate('sms', sms, hasValues, smsMessageLength)
  if (email) {
    checkTemplate('email.subject', email.subject, hasValues)
    checkTemplate('email.html', email.html, hasValues, emailMessageLength)
  }
  const route = (event: MessageEvent): TriggerResponse<'CustomMessage'> => {
    const own: Readonly<Record<string, string>> = values?.(event) ?? {}
    if (isThenable(own)) {
      throw new TypeError(
        'message(): values returned a promise, expected an object. Await the values in a route, and call the route of message() there.',
      )
    }
    return {
      ...(sms !== undefined && { smsMessage: fill(sms, event, own, asIs) }),
      ...(email && {
        emailSubject: fill(email.subject, event, own, oneLine),
        emailMessage: fill(email.html, event, own, escapeHtml),
      }),
    }
  }
  return notAnAnswer('a route', route)
}

const placeholder = /\{([a-zA-Z_]\w*)\}/g
const standing: readonly string[] = ['code', 'username', 'link']

/** @param most the maximum number of characters of a message with a code, or undefined for a text without a code */
function checkTemplate(what: string, template: unknown, hasValues: boolean, most?: number): void {
  if (typeof template !== 'string') {
    throw new InvalidOptionError(`message(): ${what} is a string, not ${typeof template}.`)
  }
  const names = [...template.matchAll(placeholder)].map(([, name]) => name!)
  if (most !== undefined && !names.includes('code')) {
    throw new InvalidOptionError(`message(): ${what} must contain {code}: without it, the user gets no code.`)
  }
  // A value can be empty, and {code} is as long as the placeholder of a code, which is {####}.
  const least = [...template.replace(placeholder, (whole, name) => (name === 'code' ? whole : ''))].length
  if (most !== undefined && least > most) {
    throw new InvalidOptionError(
      `message(): ${what} has at least ${least} characters, expected at most ${most}.`,
    )
  }
  const unknown = hasValues ? undefined : names.find(name => !standing.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, standing)
  const hint = meant === undefined ? 'Give its value in the second argument.' : `Did you mean {${meant}}?`
  throw new InvalidOptionError(`message(): ${what} has a placeholder {${unknown}} without a value. ${hint}`)
}

function fill(
  template: string,
  event: MessageEvent,
  own: Readonly<Record<string, string>>,
  treat: (value: string) => string,
): string {
  const { codeParameter, usernameParameter, linkParameter } = event.request
  return template.replace(placeholder, (whole, name: string) => {
    if (name === 'code') return codeParameter
    if (name === 'username') return usernameParameter ?? treat(event.userName)
    if (name === 'link') return linkParameter ?? ''
    return Object.hasOwn(own, name) ? treat(String(own[name] ?? '')) : whole
  })
}

const asIs = (value: string) => value

// A line break in a subject would start another header. The expression finds control characters and line separators.
const oneLine = (value: string) => value.replace(/[^ -~\xa0-\u2027\u202a-\uffff]+/g, ' ')

/** Escapes text for HTML. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
