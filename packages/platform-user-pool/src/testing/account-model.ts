import { hour, minute, second } from './account-steps.ts'

interface Code {
  readonly value: string
  readonly to: string
  readonly ends: number
}

/** An account in the model, which follows Cognito's documentation. */
export interface Account {
  readonly name: string
  status: 'UNCONFIRMED' | 'CONFIRMED'
  password: number
  email: string
  verified: boolean
  enabled: boolean
  readonly codes: { [purpose in 'sign-up' | 'password' | 'email']?: Code | undefined }
}

/** A sign-in in the model, with all tokens that it issued. */
export interface Grant {
  readonly account: Account
  readonly ends: number
  isOver: boolean
}

interface Token {
  readonly grant: Grant
  readonly access: string
  readonly accessEnds: number
  readonly refresh: string
  isRotated: boolean
}

interface Count {
  count: number
  readonly ends: number
}

/** The accounts, codes, tokens and limits that the test expects, computed without an engine. */
export interface Model {
  accounts: Account[]
  readonly tokens: Token[]
  readonly counts: Map<string, Count>
  readonly wrong: Map<unknown, { readonly count: number; readonly since: number }>
}

/** Returns the account with this name, or with this verified address. */
export const accountNamed = ({ accounts }: Model, name: string) =>
  accounts.find(each => each.name === name || (each.verified && each.email === name))

/** Counts an action, and returns whether its rate limit allows it. */
export function mayAgain({ counts }: Model, key: string, most: number, now: number): boolean {
  const known = counts.get(key)
  if (known === undefined || known.ends <= now) {
    counts.set(key, { count: 1, ends: now + hour })
    return true
  }
  if (known.count >= most) return false
  known.count++
  return true
}

function wrongGuesses({ wrong }: Model, key: unknown, now: number) {
  const known = wrong.get(key)
  return known === undefined || known.since + 15 * minute <= now ? undefined : known
}

/** Whether further attempts are refused after wrong secrets. */
export function isLocked(model: Model, key: unknown, now: number): boolean {
  const known = wrongGuesses(model, key, now)
  if (known === undefined || known.count < 5) return false
  return known.since + Math.min(second * 2 ** (known.count - 5), 15 * minute) > now
}

/** Counts a wrong secret. */
export function guessWrong(model: Model, key: unknown, now: number): void {
  model.wrong.set(key, { count: (wrongGuesses(model, key, now)?.count ?? 0) + 1, since: now })
}

/** Ends all sign-ins of an account. */
export function endSignIns({ tokens }: Model, account: Account): void {
  for (const { grant } of tokens) if (grant.account === account) grant.isOver = true
}

/** Returns the expected result of entering a code, which is `ok` or an error. */
export function checkCode(
  model: Model,
  account: Account,
  purpose: keyof Account['codes'],
  isRight: boolean,
  most: number,
  now: number,
): string {
  if (!mayAgain(model, `try ${purpose} ${idOf(account)}`, most, now)) return 'LimitExceededException'
  const code = account.codes[purpose]
  // The error is the same as for a name without an account, because clients must not learn which accounts exist.
  if (code === undefined || code.ends + hour <= now)
    return purpose === 'password' || purpose === 'sign-up' ? 'CodeMismatchException' : 'ExpiredCodeException'
  if (!isRight) return 'CodeMismatchException'
  if (code.ends <= now || code.to !== account.email) return 'ExpiredCodeException'
  const isTaken = model.accounts.some(
    each => each !== account && each.verified && each.email === account.email,
  )
  return isTaken ? 'AliasExistsException' : 'ok'
}

const ids = new WeakMap<Account, number>()
let lastId = 0
/** Returns a number that no other account has. */
export function idOf(account: Account): number {
  const id = ids.get(account) ?? ++lastId
  ids.set(account, id)
  return id
}

export const wrongPassword = 'NotAuthorizedException Incorrect username or password.'
export const locked = 'NotAuthorizedException Password attempts exceeded'
