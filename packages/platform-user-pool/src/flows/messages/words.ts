import type { Source } from '@signalbox/user-pool/contract'
import type { MessageText, PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import type { Message, User } from '../../store/user-pool-store.ts'
import { eventAttributes } from '../../users/attributes.ts'

/** The occasion of a message, which is the part of its trigger source after the underscore. */
export type Occasion =
  | 'SignUp'
  | 'AdminCreateUser'
  | 'ResendCode'
  | 'ForgotPassword'
  | 'UpdateUserAttribute'
  | 'VerifyUserAttribute'
  | 'Authentication'

/** The text of a message, with its subject. */
export interface Words {
  /** The subject, if the message is an e-mail. */
  readonly subject?: string
  readonly text: string
  readonly isHtml: boolean
}

/** The data that a text can contain or depend on. */
interface WordsInput {
  readonly code: string
  readonly clientId: string | undefined
  readonly clientMetadata: Metadata
}

const codePlaceholder = '{####}'
const namePlaceholder = '{username}'

/**
 * Returns the text of a message. It comes from a function, or else from the pool, or else from the standard texts.
 * E-mail is HTML unless it has a standard text.
 */
export async function wordsOf(
  { callTrigger, mailer, issuer }: EngineContext,
  caller: FlowCaller,
  user: User,
  { medium, occasion: stored }: Message,
  contents: WordsInput,
): Promise<Words> {
  const occasion = stored as Occasion
  const said = await callTrigger(caller, `CustomMessage_${occasion}` satisfies Source, {
    userName: user.name,
    request: {
      userAttributes: eventAttributes(caller.pool, user),
      codeParameter: codePlaceholder,
      linkParameter: '{##Verify Email##}',
      usernameParameter: occasion === 'AdminCreateUser' ? namePlaceholder : null,
      clientMetadata: contents.clientMetadata,
    },
  })
  const standard = standardMessages[occasion]
  const ownText = ownTextOf(caller.pool, occasion, medium)
  const own = medium === 'EMAIL' ? (said?.emailMessage ?? ownText?.email) : (said?.smsMessage ?? ownText?.sms)
  const isHtml = medium === 'EMAIL' && typeof own === 'string' && mailer !== undefined
  const query = new URLSearchParams({
    client_id: contents.clientId ?? '',
    user_name: user.name,
    confirmation_code: contents.code,
  })
  const address = `${issuer(caller.pool)}/confirmUser?${query}`
  const linked = (label: string) =>
    isHtml ? `<a href="${inHtml(address)}">${label}</a>` : `${label}: ${address}`
  const fill = (text: string, encode: (value: string) => string = value => value) =>
    text
      .replaceAll(linkPlaceholder, (whole, label: string) => (isSignUp(occasion) ? linked(label) : whole))
      .replaceAll(codePlaceholder, () => encode(contents.code))
      .replaceAll(namePlaceholder, () => encode(user.name))
  return {
    text: fill(own ?? standard.text, isHtml ? inHtml : undefined),
    isHtml,
    ...(medium === 'EMAIL' && { subject: fill(said?.emailSubject ?? ownText?.subject ?? standard.subject) }),
  }
}

/** The placeholder for the link in sign-up messages. The text of the link is between `{##` and `##}`. */
const linkPlaceholder = /\{##([^#{}]+)##\}/g

/** The pool's texts by occasion. A password reset uses the verification text. */
const ownTexts = {
  SignUp: 'verification',
  ResendCode: 'verification',
  UpdateUserAttribute: 'verification',
  VerifyUserAttribute: 'verification',
  ForgotPassword: 'verification',
  AdminCreateUser: 'invitation',
  Authentication: 'authentication',
} as const satisfies { readonly [O in Occasion]: keyof PoolSettings['texts'] }

function isSignUp(occasion: Occasion): boolean {
  return occasion === 'SignUp' || occasion === 'ResendCode'
}

function ownTextOf(
  { texts }: PoolSettings,
  occasion: Occasion,
  medium: Message['medium'],
): MessageText | undefined {
  if (isSignUp(occasion) && medium === 'EMAIL' && texts.link !== undefined) return texts.link
  return texts[ownTexts[occasion]]
}

function inHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const code = { subject: 'Your verification code', text: `Your confirmation code is ${codePlaceholder}` }

/** The standard texts of messages. */
export const standardMessages: {
  readonly [O in Occasion]: { readonly subject: string; readonly text: string }
} = {
  SignUp: code,
  ResendCode: code,
  UpdateUserAttribute: code,
  VerifyUserAttribute: code,
  ForgotPassword: {
    subject: 'Your password reset code',
    text: `Your password reset code is ${codePlaceholder}`,
  },
  AdminCreateUser: {
    subject: 'Your temporary password',
    text: `Your username is ${namePlaceholder} and temporary password is ${codePlaceholder}`,
  },
  Authentication: {
    subject: 'Your authentication code',
    text: `Your authentication code is ${codePlaceholder}`,
  },
}
